package dev.edl.conformance.training;

import dev.edl.examples.digits.DigitsData;
import dev.edl.runtime.data.recordio.RecordIoDataset;
import dev.edl.runtime.data.recordio.RecordIoReader;
import dev.edl.runtime.data.recordio.RecordIoWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Writes records of MNIST's form: the examples' 1,438 training digits, each as often as needed. */
public final class RepeatedDigits {
    private static final int RECORDS_PER_SHARD = 4096;

    private RepeatedDigits() {}

    /**
     * Writes training records to {@code mnist/train} in a folder, and the 359 held-out digits to {@code mnist/test}.
     *
     * @param records number of training records to write
     */
    public static void write(Path folder, int records) throws IOException {
        Path mnist = folder.resolve("mnist");
        Path once = Files.createDirectories(mnist.resolve("digits"));
        try (RecordIoDataset train = DigitsData.train(once);
                RecordIoDataset test = DigitsData.test(mnist)) {
            grow(records(once.resolve("train")), records, Files.createDirectories(mnist.resolve("train")));
        }
    }

    private static List<byte[]> records(Path part) throws IOException {
        List<byte[]> all = new ArrayList<>();
        try (Stream<Path> files = Files.list(part)) {
            for (Path file : files.sorted().toList()) {
                RecordIoReader reader = RecordIoReader.open(file);
                all.addAll(reader.read(0, reader.records()));
            }
        }
        return all;
    }

    private static void grow(List<byte[]> some, int records, Path to) throws IOException {
        for (int from = 0; from < records; from += RECORDS_PER_SHARD) {
            Path file = to.resolve(String.format(Locale.ROOT, "data-%05d", from / RECORDS_PER_SHARD));
            try (RecordIoWriter writer = RecordIoWriter.create(file)) {
                for (int at = from; at < Math.min(records, from + RECORDS_PER_SHARD); at++) {
                    writer.write(some.get(at % some.size()));
                }
            }
        }
    }
}
