import dev.edl.runtime.data.recordio.RecordIoCompression;
import dev.edl.runtime.data.recordio.RecordIoReader;
import dev.edl.runtime.data.recordio.RecordIoWriter;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * EDL's half of the check: writes RecordIO files for pyrecordio to read, and reads those that pyrecordio wrote. Beside
 * each file {@code x.recordio} lies {@code x.raw}, the same records each behind its length in four bytes, big-endian.
 */
final class RecordIoFiles {
    private RecordIoFiles() {}

    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[1]);
        if (args[0].equals("write")) {
            write(folder, Long.parseLong(args[2]));
        } else {
            read(folder);
        }
    }

    private static void write(Path folder, long seed) throws IOException {
        Random random = new Random(seed);
        for (RecordIoCompression compression : RecordIoCompression.values()) {
            for (int chunkBytes : new int[] {400_000, RecordIoWriter.DEFAULT_CHUNK_BYTES}) {
                String name = compression.name().toLowerCase() + "-" + chunkBytes;
                write(folder, name, compression, chunkBytes, records(random));
                write(folder, name + "-empty", compression, chunkBytes, List.of());
            }
        }
    }

    private static void write(
            Path folder, String name, RecordIoCompression compression, int chunkBytes, List<byte[]> records)
            throws IOException {
        try (RecordIoWriter writer =
                        RecordIoWriter.create(folder.resolve(name + ".recordio"), compression, chunkBytes);
                DataOutputStream raw =
                        new DataOutputStream(Files.newOutputStream(folder.resolve(name + ".raw")))) {
            for (byte[] record : records) {
                writer.write(record);
                raw.writeInt(record.length);
                raw.write(record);
            }
        }
    }

    /** What formats stumble over: nothing, zeros, more than one Snappy frame, what does not compress, many in a chunk. */
    private static List<byte[]> records(Random random) {
        List<byte[]> records = new ArrayList<>();
        records.add(new byte[0]);
        records.add(new byte[] {0});
        records.add(new byte[100_000]);
        for (int length : new int[] {1, 65_535, 65_536, 65_537, 300_000}) {
            byte[] noise = new byte[length];
            random.nextBytes(noise);
            records.add(noise);
        }
        records.add(new byte[0]);
        for (int i = 0; i < 3_000; i++) {
            byte[] small = new byte[random.nextInt(200)];
            Arrays.fill(small, (byte) i);
            records.add(small);
        }
        records.add(new byte[0]);
        return records;
    }

    private static void read(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.filter(file -> file.toString().endsWith(".recordio"))
                    .sorted()
                    .toList();
        }
        for (Path file : files) {
            List<byte[]> expected = raw(Path.of(file.toString().replace(".recordio", ".raw")));
            RecordIoReader reader = RecordIoReader.open(file);
            int count = expected.size();
            check(reader.records() == count, file + " has " + count + " records, EDL counts " + reader.records());
            for (int[] range : new int[][] {{0, count}, {count / 3, count / 2}, {Math.max(0, count - 1), count}}) {
                List<byte[]> seen = reader.read(range[0], range[1]);
                check(seen.size() == range[1] - range[0], file + ": EDL reads " + seen.size() + " records of a range");
                for (int i = 0; i < seen.size(); i++) {
                    check(
                            Arrays.equals(seen.get(i), expected.get(range[0] + i)),
                            file + ": EDL reads record " + (range[0] + i) + " with other bytes than were written");
                }
            }
        }
        System.out.println(files.size());
    }

    private static List<byte[]> raw(Path file) throws IOException {
        List<byte[]> records = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
            while (true) {
                int first = in.read();
                if (first < 0) {
                    return records;
                }
                int length = first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort();
                records.add(in.readNBytes(length));
            }
        }
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalStateException(message);
        }
    }
}
