package dev.edl.runtime.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.data.csv.BadRowsException;
import dev.edl.runtime.data.csv.CsvColumns;
import dev.edl.runtime.data.csv.CsvDataset;
import dev.edl.runtime.data.csv.CsvTable;
import dev.edl.runtime.data.idx.IdxDataset;
import dev.edl.runtime.data.idx.IdxFile;
import dev.edl.runtime.data.idx.IdxType;
import dev.edl.runtime.data.npy.NpzArray;
import dev.edl.runtime.data.npy.NpzReader;
import dev.edl.runtime.data.npy.NpzWriter;
import dev.edl.runtime.data.recordio.RecordIoCompression;
import dev.edl.runtime.data.recordio.RecordIoDataset;
import dev.edl.runtime.data.recordio.RecordIoWriter;
import dev.edl.runtime.data.tfrecord.ExampleDecoder;
import dev.edl.runtime.data.tfrecord.TfExample;
import dev.edl.runtime.data.tfrecord.TfRecordDataset;
import dev.edl.runtime.data.tfrecord.TfRecordWriter;
import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Writes files of each format, reads them completely, and returns the outcome in the words of docs/data.md. */
final class RuleReaders {
    private static final ExampleDecoder EXAMPLES =
            ExampleDecoder.create().floats("x", 2).label("y");

    static final Reader CSV_TABLE = path -> {
        CsvTable table = CsvTable.read(path);
        return whole(table.dataset()) + (table.problems().isEmpty() ? "" : ", with a doubt");
    };
    static final Reader CSV_DATASET = path -> {
        CsvDataset dataset = CsvDataset.open(path, CsvColumns.create().label("y"));
        return whole(dataset) + (dataset.problems().isEmpty() ? "" : ", with a doubt");
    };
    static final Reader CSV_IDS = path -> {
        CsvDataset dataset = CsvDataset.open(
                path, CsvColumns.create().features().ids("a").hashedIds(9, "b").label("y"));
        Batch batch = new Batch(2, 0, 1, 2, List.of());
        dataset.read(path.getFileName().toString(), 0, 2, batch);
        assertThat(batch.ids()).startsWith(1).endsWith(-1, -1);
        return "read, as -1";
    };
    static final Reader RECORD_IO = path -> {
        try (RecordIoDataset dataset = RecordIoDataset.open(path, EXAMPLES)) {
            return whole(dataset);
        }
    };
    static final Reader TF_RECORD = path -> {
        try (TfRecordDataset dataset = TfRecordDataset.open(path, EXAMPLES)) {
            return whole(dataset);
        }
    };
    static final Reader IDX_OF_LARGE_LABELS = path -> {
        Path labels = path.resolveSibling("i-labels");
        IdxFile.write(labels, IdxType.INT, List.of(2), 0, 16_777_217);
        try (IdxDataset dataset = IdxDataset.open(path, labels, 1)) {
            return whole(dataset);
        }
    };
    static final Reader IDX = path -> {
        Path labels = path.resolveSibling("labels");
        int records;
        try (IdxFile images = IdxFile.open(path)) {
            records = images.records() == 0 ? 0 : 2;
        }
        IdxFile.write(
                labels, IdxType.UNSIGNED_BYTE, List.of(records), records == 0 ? new double[0] : new double[] {0, 1});
        try (IdxDataset dataset = IdxDataset.open(path, labels, 1)) {
            return whole(dataset);
        }
    };
    static final Reader NPY = path -> array(path, 1, 2, 3, 4);
    static final Reader NPY_OF_NAN = path -> array(path, 1, 2, 3, Float.NaN);

    private RuleReaders() {}

    /** Reads all of a file or folder. */
    interface Reader {
        String read(Path path) throws IOException;
    }

    /** Creates a file or folder at a path, and returns the reader's argument. */
    interface Made {
        Path in(Path path) throws IOException;
    }

    static String outcome(Reader reader, Path path) {
        try {
            return reader.read(path);
        } catch (IOException e) {
            assertThat(e).hasMessageContaining(path.toString());
            String message = String.valueOf(e.getMessage());
            if (e instanceof BadRowsException rows) {
                return rows.problems().get(0).column() == 0 ? "refused: line" : "refused: line, column";
            }
            if (e instanceof RecordDecodeException) {
                return "refused: record";
            }
            if (message.matches("(?s).*line \\d+, column \\d+.*")) {
                return "refused: line, column";
            }
            if (message.matches("(?s).*\\bline \\d+(: |;| ).*")) {
                return "refused: line";
            }
            return message.matches("(?s).*line \\d+, at byte \\d+.*")
                    ? "refused: line, byte"
                    : e instanceof CorruptFileException ? "refused: byte" : "refused: file";
        }
    }

    /** Reads every record; existing records must be the two of {@link RuleFiles}. */
    private static String whole(Dataset dataset) throws IOException {
        List<Float> features = new ArrayList<>();
        List<Float> labels = new ArrayList<>();
        for (DataShard shard : dataset.shards()) {
            Batch batch = new Batch((int) Math.max(1, shard.records()), 2, 1);
            dataset.read(shard.name(), 0, shard.records(), batch);
            for (int i = 0; i < 2 * batch.size(); i++) {
                features.add(batch.features()[i]);
            }
            for (int i = 0; i < batch.size(); i++) {
                labels.add(batch.labels()[i]);
            }
        }
        if (features.isEmpty()) {
            return "0 records";
        }
        if (features.get(1).equals(features.get(3))) {
            return "read, as one";
        }
        assertThat(features).containsExactly(1f, 2f, 3f, 4f);
        assertThat(labels).containsExactly(0f, 1f);
        DataShard last = dataset.shards().get(dataset.shards().size() - 1);
        if (last.records() == 0) {
            return "0 records";
        }
        return dataset.shards().size() == 1 && last.name().equals("part-0") ? "left out" : "read";
    }

    private static String array(Path path, float... expected) throws IOException {
        float[] values = NpzReader.read(path).values().iterator().next().values();
        if (values.length == 0) {
            return "0 records";
        }
        assertThat(values).containsExactly(expected);
        return "read";
    }

    private static byte[] example(int label, float... x) {
        return TfExample.builder().floats("x", x).int64s("y", label).build().toBytes();
    }

    private static byte[][] examples(float... values) {
        byte[][] examples = new byte[values.length / 2][];
        for (int i = 0; i < examples.length; i++) {
            examples[i] = example(i, values[2 * i], values[2 * i + 1]);
        }
        return examples;
    }

    static Made recordIo(float... values) {
        return path -> recordIo(path, RecordIoCompression.NONE, examples(values));
    }

    static Made recordIoOf(float[] odd) {
        return path -> recordIo(path, RecordIoCompression.NONE, example(0, 1, 2), example(1, odd));
    }

    static Made recordIoOfLabel(int label) {
        return path -> recordIo(path, RecordIoCompression.NONE, example(0, 1, 2), example(label, 3, 4));
    }

    static Made tfRecordOfLabel(int label) {
        return path -> tfRecord(path, example(0, 1, 2), example(label, 3, 4));
    }

    static Path compressedRecordIo(Path path) throws IOException {
        return recordIo(path, RecordIoCompression.GZIP, examples(1, 2, 3, 4));
    }

    private static Path recordIo(Path path, RecordIoCompression compression, byte[]... records) throws IOException {
        try (RecordIoWriter writer = RecordIoWriter.create(path, compression, 1 << 20)) {
            for (byte[] record : records) {
                writer.write(record);
            }
        }
        return path;
    }

    static Made tfRecord(float... values) {
        return path -> tfRecord(path, examples(values));
    }

    static Made tfRecordOf(float[] odd) {
        return path -> tfRecord(path, example(0, 1, 2), example(1, odd));
    }

    private static Path tfRecord(Path path, byte[]... records) throws IOException {
        try (TfRecordWriter writer = TfRecordWriter.create(path)) {
            for (byte[] record : records) {
                writer.write(record);
            }
        }
        return path;
    }

    static Made idx(IdxType type, double... values) {
        return path -> {
            IdxFile.write(path, type, List.of(values.length / 2, 2), values);
            return path;
        };
    }

    static Made npz(float... values) {
        return path -> {
            NpzWriter.write(path, List.of(NpzArray.of("x", values, values.length)));
            return path;
        };
    }

    static Path compressedNpz(Path path) throws IOException {
        return zipped(path, npyOfFour(4));
    }

    static Path npzOfAnotherShape(Path path) throws IOException {
        return zipped(path, npyOfFour(5));
    }

    private static Path zipped(Path path, byte[] npy) throws IOException {
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(path))) {
            zip.putNextEntry(new ZipEntry("x.npy"));
            zip.write(npy);
            zip.closeEntry();
        }
        return path;
    }

    /** numpy.save of four floats, with the given count in the header. */
    private static byte[] npyOfFour(int said) {
        byte[] header = ("\u0093NUMPY\u0001\0v\0{'descr': '<f4', 'fortran_order': False, 'shape': (" + said + ",), }"
                        + " ".repeat(60) + "\n")
                .getBytes(StandardCharsets.ISO_8859_1);
        ByteBuffer values = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        values.putFloat(1).putFloat(2).putFloat(3).putFloat(4);
        return joined(header, values.array());
    }

    static byte[] joined(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}
