package dev.edl.runtime.program;

import dev.edl.runtime.EvaluationResult;
import dev.edl.runtime.PredictionResult;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.internal.text.SignificantDigits;
import dev.edl.runtime.proof.LedgerProof;
import dev.edl.runtime.proof.TaskType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Result of a training, an evaluation or a prediction that ran in other processes: a {@link TrainingResult} without
 * parameters and optimizer states, an {@link EvaluationResult} or a {@link PredictionResult}.
 *
 * @param work what the processes did
 * @param steps the last model version: updates applied in all runs of the training; otherwise the version of the model
 * @param metrics metric values of the last evaluation, by name; empty without validation data
 * @param exactlyOnce whether each record was applied exactly once in each epoch, or evaluated or predicted once
 * @param proof the proof by the task ledger and, of a training, a second line with the proof by the parameter shards
 * @param took time from the start of the master that ended the training to the end of the training
 * @param records number of records trained in all epochs and all runs of the training
 * @param recordsPerSecond records trained per second by this run
 * @param checkpoint directory of the final checkpoint, if the training has a checkpoint directory
 * @param export file of the exported model, if the training exports one
 * @param output where a prediction has written the outputs, as its writer describes it
 * @param stopped reason why the training was stopped early, if it was
 * @param reproduce lines of text that describe how to run the training again; empty for a pass
 */
public record TrainingSummary(
        TaskType work,
        long steps,
        Map<String, Double> metrics,
        boolean exactlyOnce,
        String proof,
        Duration took,
        long records,
        double recordsPerSecond,
        Optional<Path> checkpoint,
        Optional<Path> export,
        Optional<String> output,
        Optional<String> stopped,
        String reproduce) {
    /** Copies the metrics. */
    public TrainingSummary {
        metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
    }

    /** Returns the summary of a result. */
    public static TrainingSummary of(TrainingResult result) {
        return new TrainingSummary(
                TaskType.TRAINING,
                result.steps(),
                result.metrics(),
                result.exactlyOnce(),
                result.proof(),
                result.took(),
                result.records(),
                result.recordsPerSecond(),
                result.checkpoint(),
                result.export(),
                Optional.empty(),
                result.stopped(),
                result.reproduce());
    }

    /** Returns the summary of an evaluation. */
    public static TrainingSummary of(EvaluationResult result) {
        return pass(
                TaskType.EVALUATION,
                result.version(),
                result.metrics(),
                result.ledgerProof(),
                result.took(),
                result.records(),
                Optional.empty());
    }

    /** Returns the summary of a prediction. */
    public static TrainingSummary of(PredictionResult result) {
        return pass(
                TaskType.PREDICTION,
                result.version(),
                Map.of(),
                result.ledgerProof(),
                result.took(),
                result.records(),
                Optional.of(result.target()));
    }

    private static TrainingSummary pass(
            TaskType work,
            long version,
            Map<String, Double> metrics,
            LedgerProof proof,
            Duration took,
            long records,
            Optional<String> output) {
        double seconds = took.toNanos() / 1e9;
        return new TrainingSummary(
                work,
                version,
                metrics,
                proof.holds(),
                proof.toString(),
                took,
                records,
                seconds > 0 ? records / seconds : 0,
                Optional.empty(),
                Optional.empty(),
                output,
                Optional.empty(),
                "");
    }

    /** Returns lines for people: the metrics, the records and the time, and the proof. */
    @Override
    public String toString() {
        return (metrics.isEmpty() ? "" : SignificantDigits.of(metrics) + "\n")
                + String.format(
                        Locale.ROOT,
                        "%s %,d records in %.1f s, %,.0f samples/s, %s%n",
                        switch (work) {
                            case TRAINING -> "Trained";
                            case EVALUATION -> "Evaluated";
                            case PREDICTION -> "Predicted";
                        },
                        records,
                        took.toMillis() / 1000.0,
                        recordsPerSecond,
                        work == TaskType.TRAINING
                                ? String.format(Locale.ROOT, "%,d steps", steps)
                                : "version " + steps
                                        + output.map(file -> ", to " + file).orElse(""))
                + proof;
    }
}
