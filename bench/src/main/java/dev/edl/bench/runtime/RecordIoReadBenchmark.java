package dev.edl.bench.runtime;

import dev.edl.runtime.data.RecordDecoder;
import dev.edl.runtime.data.RecordFormat;
import dev.edl.runtime.data.recordio.RecordIoCompression;
import dev.edl.runtime.data.recordio.RecordIoDataset;
import dev.edl.runtime.data.recordio.RecordIoWriter;
import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.nio.ByteBuffer;
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

/** JMH benchmark of reading all records of a RecordIO file in the page cache, and of the checksum of the same file. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // JMH sets the fields of a state before it calls any other method.
public class RecordIoReadBenchmark {
    private static final int TASK = 512;

    /** Decodes the label of a record and nothing else. */
    private static final class LabelOnly implements RecordDecoder {
        @Override
        public void decode(byte[] record, Batch into) {
            decode(ByteBuffer.wrap(record), into);
        }

        @Override
        public void decode(ByteBuffer record, Batch into) {
            into.labels()[into.row()] = record.get(record.limit() - 1);
        }
    }

    /** Uncompressed RecordIO file that a benchmark reads. */
    @State(Scope.Thread)
    public static class RecordFile {
        private static final int CHUNK = 1 << 20;

        @Param("67108864")
        int bytes;

        /** Size of a record in bytes: as in ElasticDL's MNIST, 784 pixels as floats, and a label. */
        @Param("3137")
        int record;

        private Path path;
        private long count;
        private final Batch batch = new Batch(TASK, 1, 1);
        private final RecordFormat labels = RecordFormat.of(1, 1, 0, new LabelOnly());

        /** Writes the file: records of random bytes from seed 1, in chunks of 1 MiB. */
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

    /**
     * Opens the file as a dataset and reads it in tasks of 512 records, with the checksum of every chunk verified. Each
     * record is passed, without a copy, to a decoder that takes the label and ignores the pixels.
     */
    @Benchmark
    public long read(RecordFile f) throws IOException {
        long sum = 0;
        try (RecordIoDataset dataset = RecordIoDataset.open(f.path, f.labels)) {
            String shard = dataset.shards().get(0).name();
            for (long at = 0; at < f.count; at += TASK) {
                f.batch.clear(shard);
                dataset.read(shard, at, Math.min(f.count, at + TASK), f.batch);
                sum += (long) f.batch.labels()[0];
            }
        }
        return sum;
    }

    /** Maps the file into memory, the cheapest access to its bytes, and computes their CRC-32. */
    @Benchmark
    public long checksum(RecordFile f) throws IOException {
        CRC32 crc = new CRC32();
        try (FileChannel file = FileChannel.open(f.path)) {
            crc.update(file.map(FileChannel.MapMode.READ_ONLY, 0, file.size()));
        }
        return crc.getValue();
    }
}
