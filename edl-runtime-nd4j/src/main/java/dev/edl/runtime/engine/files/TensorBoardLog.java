package dev.edl.runtime.engine.files;

import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.data.tfrecord.EventWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Consumer;

/** Writes losses and evaluations as TensorBoard scalars: {@code loss}, {@code evaluation/accuracy}. */
public final class TensorBoardLog implements Consumer<TrainingEvent>, AutoCloseable {
    private final EventWriter writer;
    private final InstantSource clock;

    public TensorBoardLog(Path directory, InstantSource clock) throws IOException {
        this.clock = clock;
        this.writer = EventWriter.create(directory, clock.instant());
    }

    @Override
    public void accept(TrainingEvent event) {
        try {
            if (event instanceof TrainingEvent.Loss loss) {
                writer.scalar("loss", loss.steps(), loss.loss(), clock.instant());
            } else if (event instanceof TrainingEvent.Evaluation evaluation) {
                for (Map.Entry<String, Double> metric : evaluation.metrics().entrySet()) {
                    writer.scalar(
                            "evaluation/" + metric.getKey(),
                            evaluation.step(),
                            metric.getValue().floatValue(),
                            clock.instant());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        writer.close();
    }
}
