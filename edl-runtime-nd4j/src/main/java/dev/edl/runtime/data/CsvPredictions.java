package dev.edl.runtime.data;

import dev.edl.runtime.internal.files.AtomicFile;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes predictions as CSV text in the order of the data. Predictions arrive in any order, so a temporary file of rows
 * collects them first.
 */
record CsvPredictions(Path file, List<String> names) implements PredictionWriter {
    private static final int BLOCK_ROWS = 1024;

    CsvPredictions {
        names = List.copyOf(names);
    }

    @Override
    public Sink open(List<DataShard> shards, int outputs) throws IOException {
        if (!names.isEmpty() && names.size() != outputs) {
            throw new IllegalArgumentException("the predictions have " + outputs + " outputs per record, but "
                    + names.size() + " names are given for them: " + names);
        }
        TemporaryNpyFile rows = TemporaryNpyFile.toBe(file, ".rows.tmp", shards, outputs);
        return new Sink() {
            @Override
            public void write(String shard, long start, long end, float[] values) throws IOException {
                rows.write(shard, start, end, values);
            }

            @Override
            public void commit() throws IOException {
                AtomicFile.write(file, out -> {
                    Writer text = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
                    text.write("shard,record");
                    for (int i = 0; i < outputs; i++) {
                        text.write("," + (names.isEmpty() ? "output_" + i : field(names.get(i))));
                    }
                    text.write("\n");
                    for (DataShard shard : shards) {
                        shard(shard, rows, outputs, text);
                    }
                    text.flush();
                });
            }

            @Override
            public void close() throws IOException {
                rows.close();
            }
        };
    }

    private static void shard(DataShard shard, TemporaryNpyFile rows, int outputs, Writer text) throws IOException {
        String name = field(shard.name());
        float[] block = new float[BLOCK_ROWS * outputs];
        for (long from = 0; from < shard.records(); from += BLOCK_ROWS) {
            int count = (int) Math.min(BLOCK_ROWS, shard.records() - from);
            rows.read(shard.name(), from, count, block);
            for (int row = 0; row < count; row++) {
                text.write(name);
                text.write(',');
                text.write(Long.toString(from + row));
                for (int i = 0; i < outputs; i++) {
                    text.write(',');
                    text.write(Float.toString(block[row * outputs + i]));
                }
                text.write("\n");
            }
        }
    }

    /**
     * Quotes a field by RFC 4180: a field with a comma, a quote or a line break is quoted, and its quotes are doubled.
     */
    private static String field(String text) {
        boolean quoted = text.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return quoted ? "\"" + text.replace("\"", "\"\"") + "\"" : text;
    }

    /** Returns the file's path. */
    @Override
    public String toString() {
        return file.toString();
    }
}
