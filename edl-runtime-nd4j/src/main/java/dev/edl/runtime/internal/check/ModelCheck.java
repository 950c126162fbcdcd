package dev.edl.runtime.internal.check;

import dev.edl.runtime.InvalidTrainingException;
import dev.edl.runtime.ModelContract;
import dev.edl.runtime.Training;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.internal.text.ExceptionText;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.ModelException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Checks the model of a training on its first records, so that a broken one is found before a replica starts. */
public final class ModelCheck {
    /** Maximum number of records for the check; enough to show whether a gradient is averaged over them. */
    private static final int RECORDS = 4;

    private static final Duration COMPARING = Duration.ofSeconds(1);
    private static final Duration SLOW = Duration.ofSeconds(5);

    private ModelCheck() {}

    /**
     * Checks that the model keeps its contract and that every metric can be computed.
     *
     * @throws ModelException when the model violates its contract
     * @throws InvalidTrainingException when the model cannot take the records, or a metric is unsuitable
     * @throws IOException when the data cannot be read
     */
    public static void of(Training training) throws IOException {
        String name = training.modelName();
        String slow = "job submission has waited for " + SLOW.toSeconds() + "s for the check of model \"" + name
                + "\" on a few records; computing its gradient seems to be slow";
        try (SlowCallLog waiting = new SlowCallLog(slow, SLOW)) {
            Batch sample = FirstRecords.of(training, training.data(), RECORDS);
            try {
                ModelContract.check(
                        name, training.model(), sample, training.checkGradient() ? within(COMPARING) : () -> false);
            } catch (IllegalArgumentException refused) {
                throw new InvalidTrainingException(
                        List.of("model \"" + name + "\" cannot take the data: " + ExceptionText.of(refused)
                                + "; the model has " + training.model().outputs() + " outputs"));
            }
            Optional<Dataset> validation = training.validation();
            if (validation.isPresent()) {
                MetricCheck.check(training, FirstRecords.of(training, validation.get(), 1));
            }
        }
    }

    /** Returns a supplier that returns true until the given time has passed since its first call. */
    private static BooleanSupplier within(Duration time) {
        long[] end = {0};
        return () -> {
            long now = System.nanoTime();
            if (end[0] == 0) {
                end[0] = now + time.toNanos();
            }
            return now - end[0] < 0;
        };
    }
}
