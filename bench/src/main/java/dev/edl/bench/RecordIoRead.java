package dev.edl.bench;

import dev.edl.runtime.data.RecordIoCompression;
import dev.edl.runtime.data.RecordIoReader;
import dev.edl.runtime.data.RecordIoWriter;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** All records of a RecordIO file that the page cache holds, and the checksum of the same file. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // JMH sets the fields of a state up before it calls anything else
public class RecordIoRead {
    /** One uncompressed file. */
    @State(Scope.Thread)
    public static class RecordFile {
        private static final int CHUNK = 1 << 20;

        @Param("67108864")
        int bytes;

        @Param("785")
        int record;

        private Path path;
        private long count;

        /** Random bytes from seed 1, in chunks of 1 MiB; a record is a label and 784 pixels. */
        @Setup
        public void setUp() throws IOException {
            path = Files.createTempFile("edl-bench-", ".recordio");
            SplittableRandom random = new SplittableRandom(1);
            byte[] values = new byte[record];
            count = bytes / record;
            try (RecordIoWriter writer = RecordIoWriter.create(path, RecordIoCompression.NONE, CHUNK)) {
                for (long i = 0; i < count; i++) {
                    random.nextBytes(values);
                    writer.write(values);
                }
            }
        }

        /** Deletes the file. */
        @TearDown
        public void tearDown() throws IOException {
            Files.delete(path);
        }
    }

    /** Opens the file and reads every record of it, a thousand at a time. */
    @Benchmark
    public long read(RecordFile f) throws IOException {
        RecordIoReader reader = RecordIoReader.open(f.path);
        long sum = 0;
        for (long at = 0; at < f.count; at += 1000) {
            for (byte[] record : reader.read(at, Math.min(f.count, at + 1000))) {
                sum += record[0];
            }
        }
        return sum;
    }

    /** Maps the file into memory, the cheapest way to its bytes, and computes their CRC-32. */
    @Benchmark
    public long checksum(RecordFile f) throws IOException {
        CRC32 crc = new CRC32();
        try (FileChannel file = FileChannel.open(f.path)) {
            crc.update(file.map(FileChannel.MapMode.READ_ONLY, 0, file.size()));
        }
        return crc.getValue();
    }
}
