package dev.edl.examples.digits;

import dev.edl.runtime.data.recordio.RecordIoWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * Converts a gzipped table of digits (64 pixels 0..16 and a label in each line) to the RecordIO shards in this
 * example's resources. Every fifth digit goes to {@code test}, the others to {@code train}, 512 records per shard.
 *
 * <p>A record is 65 bytes: the pixels, row by row, and the label.
 */
public final class ConvertDigits {
    private static final int PIXELS = 64;
    private static final int RECORDS_PER_SHARD = 512;

    private ConvertDigits() {}

    /** Arguments: the table, and the folder in which {@code train/} and {@code test/} are written. */
    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            System.err.println("usage: ConvertDigits digits.csv.gz FOLDER");
            System.exit(2);
        }
        List<byte[]> train = new ArrayList<>();
        List<byte[]> test = new ArrayList<>();
        int line = 0;
        for (byte[] digit : read(Path.of(args[0]))) {
            (line++ % 5 == 4 ? test : train).add(digit);
        }
        write(train, Path.of(args[1], "train"));
        write(test, Path.of(args[1], "test"));
        System.out.println(train.size() + " training and " + test.size() + " test records written to " + args[1]);
    }

    static List<byte[]> read(Path gzippedTable) throws IOException {
        List<byte[]> digits = new ArrayList<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(gzippedTable)), StandardCharsets.US_ASCII))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] fields = line.split(",", -1);
                if (fields.length != PIXELS + 1) {
                    throw new IOException(gzippedTable + ":" + (digits.size() + 1) + ": expected " + (PIXELS + 1)
                            + " numbers, found " + fields.length);
                }
                byte[] record = new byte[fields.length];
                for (int i = 0; i < fields.length; i++) {
                    record[i] = Byte.parseByte(fields[i].strip());
                }
                digits.add(record);
            }
        }
        return digits;
    }

    private static void write(List<byte[]> records, Path folder) throws IOException {
        Files.createDirectories(folder);
        for (int from = 0, shard = 0; from < records.size(); from += RECORDS_PER_SHARD, shard++) {
            Path file = folder.resolve(String.format(java.util.Locale.ROOT, "data-%05d", shard));
            try (RecordIoWriter writer = RecordIoWriter.create(file)) {
                for (byte[] r : records.subList(from, Math.min(records.size(), from + RECORDS_PER_SHARD))) {
                    writer.write(r);
                }
            }
        }
    }
}
