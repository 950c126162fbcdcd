package dev.edl.runtime.program;

import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.internal.text.SignificantDigits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Result of a training that ran in other processes: its {@link TrainingResult} without parameters and optimizer states.
 *
 * @param steps the last model version: updates applied in all runs of the training
 * @param metrics metric values of the last evaluation, by name; empty without validation data
 * @param exactlyOnce whether each record was applied exactly once in each epoch
 * @param proof two lines of text: the proof by the task ledger, and the proof by the parameter shards
 * @param took time from the start of the master that ended the training to the end of the training
 * @param records number of records trained in all epochs and all runs of the training
 * @param recordsPerSecond records trained per second by this run
 * @param checkpoint directory of the final checkpoint, if the training has a checkpoint directory
 * @param export file of the exported model, if the training exports one
 * @param stopped reason why the training was stopped early, if it was
 * @param reproduce lines of text that describe how to run the training again
 */
public record TrainingSummary(
        long steps,
        Map<String, Double> metrics,
        boolean exactlyOnce,
        String proof,
        Duration took,
        long records,
        double recordsPerSecond,
        Optional<Path> checkpoint,
        Optional<Path> export,
        Optional<String> stopped,
        String reproduce) {
    /** Copies the metrics. */
    public TrainingSummary {
        metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
    }

    /** Returns the summary of a result. */
    public static TrainingSummary of(TrainingResult result) {
        return new TrainingSummary(
                result.steps(),
                result.metrics(),
                result.exactlyOnce(),
                result.proof(),
                result.took(),
                result.records(),
                result.recordsPerSecond(),
                result.checkpoint(),
                result.export(),
                result.stopped(),
                result.reproduce());
    }

    /** Returns lines for people: the metrics, the trained records and the time, and the proof. */
    @Override
    public String toString() {
        return (metrics.isEmpty() ? "" : SignificantDigits.of(metrics) + "\n")
                + String.format(
                        Locale.ROOT,
                        "Trained %,d records in %.1f s, %,.0f samples/s, %,d steps%n",
                        records,
                        took.toMillis() / 1000.0,
                        recordsPerSecond,
                        steps)
                + proof;
    }
}
