package dev.edl.runtime.data;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Writes predictions as one array in an {@code .npy} file. */
record NpyPredictions(Path file) implements PredictionWriter {
    @Override
    public Sink open(List<DataShard> shards, int outputs) throws IOException {
        TemporaryNpyFile rows = TemporaryNpyFile.toBe(file, ".tmp", shards, outputs);
        return new Sink() {
            @Override
            public void write(String shard, long start, long end, float[] values) throws IOException {
                rows.write(shard, start, end, values);
            }

            @Override
            public void commit() throws IOException {
                rows.moveTo(file);
            }

            @Override
            public void close() throws IOException {
                rows.close();
            }
        };
    }

    /** Returns the file's path. */
    @Override
    public String toString() {
        return file.toString();
    }
}
