import dev.edl.parquet.ParquetColumns;
import dev.edl.parquet.ParquetDataset;
import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.csv.CsvColumns;
import dev.edl.runtime.data.csv.CsvDataset;
import dev.edl.runtime.data.tfrecord.ExampleDecoder;
import dev.edl.runtime.data.tfrecord.TfExample;
import dev.edl.runtime.data.tfrecord.TfRecordDataset;
import dev.edl.runtime.data.tfrecord.TfRecordWriter;
import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.stream.IntStream;

/** Records a second of CPU time of one thread: reads t.csv, t.parquet and t.tfrecord of a folder, best of six passes each. */
final class ReadSpeed {
    private static final int TASK = 512;
    private static final String[] NAMES =
            IntStream.range(0, 9).mapToObj(i -> "f" + i).toArray(String[]::new);

    /** Opens the data anew for each pass. */
    private interface Source {
        Dataset open() throws IOException;
    }

    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        Path parquet = folder.resolve("t.parquet");
        ParquetColumns columns = ParquetColumns.create().features(NAMES).labels("y");
        Path tfrecord = folder.resolve("t.tfrecord");
        write(ParquetDataset.open(parquet, columns), tfrecord);
        ExampleDecoder decoder = ExampleDecoder.create();
        for (String name : NAMES) {
            decoder = decoder.floats(name);
        }
        ExampleDecoder each = decoder.label("y");
        ExampleDecoder list = ExampleDecoder.create().floats("f", 9).label("y");
        measure("CSV", () -> CsvDataset.open(
                folder.resolve("t.csv"), CsvColumns.create().features(NAMES).label("y")));
        measure("Parquet", () -> ParquetDataset.open(parquet, columns));
        measure("TFRecord, a feature for each column", () -> TfRecordDataset.open(tfrecord, each));
        write(ParquetDataset.open(parquet, columns), tfrecord, true);
        measure("TFRecord, one feature of 9 floats", () -> TfRecordDataset.open(tfrecord, list));
    }

    private static void measure(String name, Source source) throws IOException {
        double best = 0;
        for (int pass = 0; pass < 6; pass++) {
            long began = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            Dataset dataset = source.open();
            Batch batch = new Batch(TASK, 9, 1);
            long records = 0;
            for (DataShard shard : dataset.shards()) {
                for (long start = 0; start < shard.records(); start += TASK) {
                    dataset.read(shard.name(), start, Math.min(start + TASK, shard.records()), batch.clear(""));
                    records += batch.size();
                }
            }
            long took = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - began;
            best = Math.max(best, records * 1e9 / took);
        }
        System.out.printf("EDL, %s: %,.0f records a second%n", name, best);
    }

    private static void write(Dataset from, Path file) throws IOException {
        write(from, file, false);
    }

    private static void write(Dataset from, Path file, boolean asList) throws IOException {
        try (TfRecordWriter writer = TfRecordWriter.create(file)) {
            for (DataShard shard : from.shards()) {
                Batch batch = new Batch((int) shard.records(), 9, 1);
                from.read(shard.name(), 0, shard.records(), batch);
                for (int row = 0; row < batch.size(); row++) {
                    TfExample.Builder example = TfExample.builder().int64s("y", (long) batch.labels()[row]);
                    float[] values = java.util.Arrays.copyOfRange(batch.features(), 9 * row, 9 * row + 9);
                    if (asList) {
                        example.floats("f", values);
                    } else {
                        for (int f = 0; f < 9; f++) {
                            example.floats(NAMES[f], values[f]);
                        }
                    }
                    writer.write(example.build().toBytes());
                }
            }
        }
    }
}
