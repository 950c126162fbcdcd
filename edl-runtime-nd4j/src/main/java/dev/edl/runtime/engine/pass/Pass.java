package dev.edl.runtime.engine.pass;

import dev.edl.runtime.Evaluation;
import dev.edl.runtime.EvaluationResult;
import dev.edl.runtime.PassSpec;
import dev.edl.runtime.Prediction;
import dev.edl.runtime.PredictionResult;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.model.Metric;
import dev.edl.runtime.proof.TaskType;
import java.io.IOException;
import java.util.List;
import java.util.function.IntFunction;

/**
 * An evaluation or a prediction as its replicas see it.
 *
 * @param type evaluation or prediction
 * @param metrics metrics of an evaluation; empty for a prediction
 * @param partial creates a worker's empty result of a task with a number of records
 * @param begin begins the work of a run, in the master's process only
 * @param <R> the result
 */
public record Pass<R>(
        TaskType type, PassSpec spec, List<Metric> metrics, IntFunction<PartialTaskResult> partial, Begin<R> begin) {
    /** Begins the work of a run. */
    @FunctionalInterface
    public interface Begin<R> {
        PassResultCollector<R> work() throws IOException;
    }

    /** Returns the pass of an evaluation. */
    public static Pass<EvaluationResult> of(Evaluation evaluation) {
        return new Pass<>(
                TaskType.EVALUATION,
                evaluation.pass(),
                evaluation.metrics(),
                records -> new MetricSums(evaluation.metrics()),
                () -> new EvaluationPass(evaluation));
    }

    /** Returns the pass of a prediction. */
    public static Pass<PredictionResult> of(Prediction prediction) {
        int width = prediction.pass().model().outputs();
        return new Pass<>(
                TaskType.PREDICTION,
                prediction.pass(),
                List.of(),
                records -> new PredictedOutputs(Math.multiplyExact(records, width)),
                () -> new PredictionPass(prediction));
    }

    /**
     * Loads the trained parameters.
     *
     * @throws IllegalArgumentException if they do not match the model, or their names of columns or classes differ from
     *     the data's; the message has each difference
     * @throws IOException if they cannot be read
     */
    public TrainedModel load() throws IOException {
        TrainedModel trained = spec.from().load();
        trained.fittedTo(spec.model());
        List<String> differences = spec.data().names().differences("data", trained.names(), "the model's training");
        if (!differences.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", differences));
        }
        return trained;
    }
}
