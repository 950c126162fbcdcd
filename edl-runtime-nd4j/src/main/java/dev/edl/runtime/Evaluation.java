package dev.edl.runtime;

import dev.edl.runtime.model.Metric;
import dev.edl.runtime.model.Model;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Evaluation of a trained model on data, as {@code elasticdl evaluate} does: a job of its own, without training.
 *
 * <pre>{@code
 * Evaluation evaluation = Evaluation.builder()
 *     .model(Mlp.of(64, 32, 10))
 *     .from(Path.of("checkpoints"))
 *     .data(test)
 *     .metrics(Metric.accuracy(), Metric.crossEntropy())
 *     .build();
 * try (PassExecutor<EvaluationResult> executor = InProcessExecutor.of(evaluation);
 *      PassRun<EvaluationResult> run = executor.submit(job)) {
 *   run.awaitResult(Duration.ofMinutes(5)).metrics();    // {accuracy=0.9611, loss=0.31}
 * }
 * }</pre>
 *
 * <p>The same evaluation runs as processes or pods by {@link dev.edl.runtime.program.TrainingProgram#evaluate}.
 *
 * <p>Each record counts exactly once, even if replicas die. The metrics do not depend on the assignment of records to
 * workers. Immutable.
 */
public final class Evaluation {
    private final PassSpec spec;
    private final List<Metric> metrics;

    private Evaluation(PassSpec spec, List<Metric> metrics) {
        this.spec = spec;
        this.metrics = metrics;
    }

    /** Returns a builder; it requires a model, its parameters and data. */
    public static Builder builder() {
        return new Builder();
    }

    public PassSpec pass() {
        return spec;
    }

    /** Returns the metrics to compute. */
    public List<Metric> metrics() {
        return metrics;
    }

    /** Returns, for example, {@code evaluation of 360 records, minibatch 64}. */
    @Override
    public String toString() {
        return "evaluation of " + spec;
    }

    /** Builder of an {@link Evaluation}; {@link #build()} reports every mistake in one exception. */
    public static final class Builder extends PassBuilder<Builder> {
        private @Nullable List<Metric> metrics;

        private Builder() {}

        @Override
        protected Builder self() {
            return this;
        }

        /** Sets the metrics to compute. Default: {@link Model#metrics}. */
        public Builder metrics(Metric... newMetrics) {
            this.metrics = List.of(newMetrics);
            return this;
        }

        /**
         * Builds the evaluation.
         *
         * @throws IllegalArgumentException when a setting is missing or invalid; the message has every mistake
         */
        public Evaluation build() {
            List<String> problems = new ArrayList<>();
            List<Metric> given = metrics;
            List<Metric> computed = given != null ? given : defaultMetrics();
            if (computed.isEmpty()) {
                problems.add("metrics is empty; for example .metrics(Metric.accuracy())");
            }
            List<String> names = computed.stream().map(Metric::name).toList();
            if (names.stream().distinct().count() < names.size()) {
                problems.add("metrics must have different names, was " + names);
            }
            return new Evaluation(pass("evaluation", false, problems), computed);
        }
    }
}
