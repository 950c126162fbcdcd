package dev.edl.runtime.data.internal;

import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.RecordDecoder;
import dev.edl.runtime.data.RecordFormat;
import dev.edl.runtime.data.idx.LabelledPixels;
import dev.edl.runtime.data.recordio.RecordIoCompression;
import dev.edl.runtime.data.recordio.RecordIoDataset;
import dev.edl.runtime.data.recordio.RecordIoWriter;
import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import java.util.zip.CRC32;

/**
 * Benchmark of reading RecordIO shards task by task, relative to a checksum of the same bytes. Not a unit test.
 *
 * <p>{@code main} writes 256 MiB to a temporary directory and prints ratios. Each round opens the dataset again, so
 * that every checksum is computed, and alternates with CRC-32 over arrays of the same bytes in memory and over the file
 * read through a {@link UninterruptibleFileChannel}. The result is the median of the ratios of the rounds.
 */
final class RecordIoSpeed {
    private static final int RECORD = 3_140;
    private static final int RECORDS = 83_886;
    private static final int FILES = 4;
    private static final int TASK = 1_024;
    private static final int ROUNDS = 21;

    private interface Work {
        void run() throws IOException;
    }

    private RecordIoSpeed() {}

    /** Prints a line for each combination of compression and decoder. */
    public static void main(String[] args) throws IOException {
        for (RecordIoCompression compression :
                new RecordIoCompression[] {RecordIoCompression.NONE, RecordIoCompression.SNAPPY}) {
            Path folder = Files.createTempDirectory("edl-recordio-speed");
            try {
                write(folder, compression);
                measure(folder, compression, "records found, last byte read", 1, new LabelOnly());
                measure(folder, compression, "784 floats copied", 784, new Floats());
                measure(
                        folder,
                        compression,
                        "3,139 bytes scaled",
                        RECORD - 1,
                        new LabelledPixels(RECORD - 1, 1 / 255f));
            } finally {
                for (int i = 0; i < FILES; i++) {
                    Files.deleteIfExists(folder.resolve("train-0000" + i));
                }
                Files.delete(folder);
            }
        }
    }

    private static void measure(
            Path folder, RecordIoCompression compression, String what, int features, RecordDecoder decoder)
            throws IOException {
        byte[][] memory = new byte[FILES][];
        for (int i = 0; i < FILES; i++) {
            memory[i] = Files.readAllBytes(folder.resolve("train-0000" + i));
        }
        long bytes = Arrays.stream(memory).mapToLong(b -> b.length).sum();
        Batch batch = new Batch(TASK, features, 1);
        double[] ofMemory = new double[ROUNDS];
        double[] ofStream = new double[ROUNDS];
        long bestChecksum = Long.MAX_VALUE;
        long bestRead = Long.MAX_VALUE;
        for (int round = -3; round < ROUNDS; round++) {
            long checksum = time(() -> checksum(memory));
            long stream = time(() -> checksumFiles(folder));
            long read = time(() -> readAll(folder, RecordFormat.of(batch.featureWidth(), 1, 0, decoder), batch));
            if (round >= 0) {
                ofMemory[round] = (double) checksum / read;
                ofStream[round] = (double) stream / read;
                bestChecksum = Math.min(bestChecksum, checksum);
                bestRead = Math.min(bestRead, read);
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%s, %s: %.2f of CRC-32 in memory (best times: %.2f), %.2f of CRC-32 of the file through a stream,"
                        + " %.1f GB/s%n",
                compression,
                what,
                median(ofMemory),
                (double) bestChecksum / bestRead,
                median(ofStream),
                (double) bytes / bestRead);
    }

    private static void readAll(Path folder, RecordFormat format, Batch batch) throws IOException {
        try (RecordIoDataset dataset = RecordIoDataset.open(folder, format)) {
            for (DataShard shard : dataset.shards()) {
                for (long start = 0; start < shard.records(); start += TASK) {
                    batch.clear(shard.name());
                    dataset.read(shard.name(), start, Math.min(shard.records(), start + TASK), batch);
                }
            }
        }
    }

    private static void checksum(byte[][] memory) {
        for (byte[] file : memory) {
            CRC32 crc = new CRC32();
            crc.update(file);
            require(crc.getValue() != 0);
        }
    }

    private static void checksumFiles(Path folder) throws IOException {
        byte[] buffer = new byte[1 << 20];
        for (int i = 0; i < FILES; i++) {
            CRC32 crc = new CRC32();
            try (UninterruptibleFileChannel in = new UninterruptibleFileChannel(folder.resolve("train-0000" + i))) {
                for (int count = in.read(ByteBuffer.wrap(buffer));
                        count > 0;
                        count = in.read(ByteBuffer.wrap(buffer))) {
                    crc.update(buffer, 0, count);
                }
            }
            require(crc.getValue() != 0);
        }
    }

    /** Decoder that reads only the record's end, to measure the cost of reading. */
    private record LabelOnly() implements RecordDecoder {
        @Override
        public void decode(byte[] record, Batch into) {
            decode(ByteBuffer.wrap(record), into);
        }

        @Override
        public void decode(ByteBuffer record, Batch into) {
            into.labels()[into.row()] = record.get(record.limit() - 1);
        }
    }

    /** Decoder that copies 784 floats; the last one is the label. */
    private record Floats() implements RecordDecoder {
        @Override
        public void decode(byte[] record, Batch into) {
            decode(ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN), into);
        }

        @Override
        public void decode(ByteBuffer record, Batch into) {
            int row = into.row();
            record.asFloatBuffer().get(into.features(), row * 784, 784);
            into.labels()[row] = record.getFloat(record.limit() - Float.BYTES);
        }
    }

    private static void write(Path folder, RecordIoCompression compression) throws IOException {
        Random random = new Random(42);
        byte[] record = new byte[RECORD];
        for (int file = 0; file < FILES; file++) {
            try (RecordIoWriter writer = RecordIoWriter.create(
                    folder.resolve("train-0000" + file), compression, RecordIoWriter.DEFAULT_CHUNK_BYTES)) {
                for (int i = 0; i < RECORDS / FILES; i++) {
                    for (int at = 0; at < RECORD; at += 4) {
                        // Half of the pixels are background, as in digits.
                        ByteBuffer.wrap(record)
                                .order(ByteOrder.LITTLE_ENDIAN)
                                .putFloat(at, at / 64 % 2 == 0 ? 0 : random.nextFloat());
                    }
                    writer.write(record);
                }
            }
        }
    }

    private static long time(Work work) throws IOException {
        long start = System.nanoTime();
        work.run();
        return System.nanoTime() - start;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static void require(boolean holds) {
        if (!holds) {
            throw new AssertionError("a checksum of 0 is unlikely");
        }
    }
}
