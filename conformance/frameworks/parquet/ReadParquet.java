import dev.edl.parquet.ParquetColumns;
import dev.edl.parquet.ParquetDataset;
import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.csv.CsvColumns;
import dev.edl.runtime.data.csv.CsvDataset;
import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Reads the Parquet files and folders of a folder, and compares each with its expected.csv. */
final class ReadParquet {
    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        Batch expected = all(CsvDataset.open(
                folder.resolve("expected.csv"),
                CsvColumns.create()
                        .features("small", "single", "double", "flag", "price", "first", "second")
                        .ids("large")
                        .hashedIds(1_000_000, "text")
                        .notMissing("NA")
                        .label("side", "low", "high")
                        .missing(-9999)));
        ParquetColumns columns = ParquetColumns.create()
                .features("small", "single", "double", "flag", "price")
                .list("pair", 2)
                .ids("large")
                .hashedIds(1_000_000, "text")
                .label("side", "low", "high")
                .missing(-9999);
        List<Path> files;
        try (Stream<Path> listed = Files.list(folder)) {
            files = listed.filter(file -> !file.endsWith("expected.csv")).sorted().toList();
        }
        int shards = 0;
        for (Path file : files) {
            ParquetDataset dataset = ParquetDataset.open(file, columns);
            Batch found = all(dataset);
            if (!Arrays.equals(found.features(), expected.features())
                    || !Arrays.equals(found.labels(), expected.labels())
                    || !Arrays.equals(found.ids(), expected.ids())) {
                throw new AssertionError(file + " has other rows than expected.csv");
            }
            shards += dataset.shards().size();
        }
        if (files.size() < 5) {
            throw new AssertionError("expected a file for each of 5 compressions, found " + files);
        }
        System.out.println(files.size() + " files of " + expected.size() + " rows, " + shards + " row groups");
    }

    private static Batch all(Dataset dataset) throws IOException {
        Batch batch = new Batch(
                (int) dataset.records(), dataset.features(), dataset.labels(), dataset.ids(), List.of());
        for (DataShard shard : dataset.shards()) {
            dataset.read(shard.name(), 0, shard.records(), batch);
        }
        return batch;
    }
}
