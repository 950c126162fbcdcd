package dev.edl.examples.clicks;

import dev.edl.examples.DatasetRecords;
import dev.edl.parquet.ParquetColumns;
import dev.edl.parquet.ParquetDataset;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.DatasetSplit;
import dev.edl.runtime.data.Datasets;
import dev.edl.runtime.data.csv.CsvColumns;
import dev.edl.runtime.data.csv.CsvDataset;
import dev.edl.runtime.data.recordio.RecordIoDataset;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Clicks to train on, and held-out clicks: synthetic ones, or those in a user's file. */
final class ClickSource implements Closeable {
    private static final int FILES = 4;
    private static final double HELD_OUT = 0.1;
    /** Number of the first held-out record, above the numbers of all records to train on. */
    private static final long APART = 1_000_000_000;

    private static final long BUCKETS = 1_000_000;

    private final String name;
    private final Dataset train;
    private final Dataset test;
    private final List<RecordIoDataset> files;
    private final @Nullable TrueClickProbability truth;

    private ClickSource(
            String name,
            Dataset train,
            Dataset test,
            List<RecordIoDataset> files,
            @Nullable TrueClickProbability truth) {
        this.name = name;
        this.train = train;
        this.test = test;
        this.files = files;
        this.truth = truth;
    }

    /** Writes synthetic clicks to {@code train} and {@code test} in a folder and opens them. */
    static ClickSource madeUp(Path folder, long seed, int records, int heldOut) throws IOException {
        ClickData clicks = new ClickData(seed);
        write(clicks, folder.resolve("train"), 0, FILES, records / FILES);
        write(clicks, folder.resolve("test"), APART, 1, heldOut);
        RecordIoDataset train = RecordIoDataset.open(folder.resolve("train"), clicks);
        RecordIoDataset test = RecordIoDataset.open(folder.resolve("test"), clicks);
        return new ClickSource("Made-up clicks", train, test, List.of(train, test), new TrueClickProbability(seed));
    }

    private static void write(ClickData clicks, Path folder, long first, int files, int records) throws IOException {
        if (Files.isDirectory(folder)) {
            // Deletes files of a run with more records or another seed.
            try (Stream<Path> old = Files.list(folder)) {
                for (Path file : old.toList()) {
                    Files.delete(file);
                }
            }
        }
        clicks.write(folder, first, files, records);
    }

    /**
     * Opens Criteo's clicks as a Parquet file with the columns {@code label}, {@code I1} to {@code I13} and {@code C1}
     * to {@code C26}; all except the label may be missing. The last tenth of each row group is held out.
     */
    private static ClickSource parquet(Path file) throws IOException {
        ParquetColumns columns = ParquetColumns.create()
                .labels("label")
                .features(columns("I", 1, ClickData.NUMERIC))
                .hashedIds(BUCKETS, columns("C", 1, ClickData.FIELDS))
                .missing(0);
        return heldOut(file, ParquetDataset.open(file, columns));
    }

    /** Opens a file in Criteo's format: as text, or as Parquet if its name ends so. */
    static ClickSource criteo(Path file) throws IOException {
        return String.valueOf(file.getFileName()).endsWith(".parquet") ? parquet(file) : text(file);
    }

    /**
     * Opens a file in Criteo's format: without a header, tab-separated label, 13 counts and 26 texts; all except the
     * label may be missing. Its last tenth is held out.
     */
    private static ClickSource text(Path file) throws IOException {
        int fields = fieldsOfFirstLine(file);
        if (fields != 1 + ClickData.NUMERIC + ClickData.FIELDS) {
            throw new IOException(file + ": line 1 has " + fields + (fields == 1 ? " field" : " fields")
                    + " between tabs; Criteo's format has 40 in each line: 0 or 1, 13 counts and 26 texts, any but the first"
                    + " of which may be empty");
        }
        CsvColumns columns = CsvColumns.create()
                .separator('\t')
                .header(false)
                .label("1")
                .features(columns("", 2, ClickData.NUMERIC))
                .hashedIds(BUCKETS, columns("", 2 + ClickData.NUMERIC, ClickData.FIELDS))
                .missing(0);
        return heldOut(file, CsvDataset.open(file, columns));
    }

    private static ClickSource heldOut(Path file, Dataset counts) {
        DatasetSplit split = Datasets.split(new LogScaledNumbers(counts), HELD_OUT);
        return new ClickSource(String.valueOf(file.getFileName()), split.train(), split.test(), List.of(), null);
    }

    private static int fieldsOfFirstLine(Path file) throws IOException {
        // The reader reports bytes that are not text with their position.
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
            String first = lines.readLine();
            return first == null ? 0 : first.split("\t", -1).length;
        }
    }

    private static String[] columns(String prefix, int first, int count) {
        return IntStream.range(first, first + count).mapToObj(i -> prefix + i).toArray(String[]::new);
    }

    /** Returns the name of the data for a chart's title: {@code Made-up clicks}, or the name of the file. */
    String name() {
        return name;
    }

    Dataset train() {
        return train;
    }

    Dataset test() {
        return test;
    }

    /**
     * Returns the true click probabilities of the held-out records, which rank these as well as any model can; empty
     * for a user's file, whose probabilities are unknown.
     */
    Optional<float[]> truth() throws IOException {
        TrueClickProbability known = truth;
        if (known == null) {
            return Optional.empty();
        }
        float[] probabilities = new float[Math.toIntExact(test.records())];
        int[] ids = new int[ClickData.FIELDS];
        float[] numbers = new float[ClickData.NUMERIC];
        DatasetRecords.visit(test, (record, batch, row) -> {
            for (int f = 0; f < ids.length; f++) {
                ids[f] = (int) batch.ids()[row * ids.length + f];
            }
            System.arraycopy(batch.features(), row * numbers.length, numbers, 0, numbers.length);
            probabilities[record] = (float) known.probability(ids, numbers);
        });
        return Optional.of(probabilities);
    }

    @Override
    public void close() throws IOException {
        for (RecordIoDataset file : files) {
            file.close();
        }
    }
}
