package dev.edl.bench.runtime;

import dev.edl.bench.harness.Figure;
import dev.edl.bench.harness.JmhTime;
import dev.edl.bench.harness.Measurement;
import dev.edl.bench.harness.MeasurementSettings;
import dev.edl.bench.harness.RoundRatios;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Throughput of reading the records of a RecordIO file, over that of mapping the file and computing its checksum:
 * {@code recordio.read}. The reader is {@code RecordIoDataset}, which verifies each chunk's checksum and decodes each
 * record's label. JMH measures {@link RecordIoReadBenchmark#read} and {@link RecordIoReadBenchmark#checksum}, each in a new fork in every
 * round. The file has 64 MiB without compression, and 3,137 bytes a record.
 */
public final class RecordIoSpeed implements Measurement {
    private static final int BYTES = 64 << 20;

    private final Figure figure = new Figure("recordio.read", 0.8, "reading records over checksumming the same bytes");

    @Override
    public List<Figure> figures() {
        return List.of(figure);
    }

    @Override
    public RoundRatios measure(MeasurementSettings settings) throws RunnerException {
        int bytes = settings.either(BYTES, 1 << 20);
        Map<String, String> size = Map.of("bytes", "" + bytes);
        RoundRatios rounds = new RoundRatios();
        for (int i = 0; i < settings.rounds(); i++) {
            double read = JmhTime.nanos(RecordIoReadBenchmark.class, "read", 1, size, settings);
            double checksum = JmhTime.nanos(RecordIoReadBenchmark.class, "checksum", 1, size, settings);
            rounds.add(figure, checksum / read)
                    .side(figure, "read %.2f GB/s", bytes / read)
                    .side(figure, "checksum %.2f GB/s", bytes / checksum);
        }
        return rounds;
    }
}
