package dev.edl.runtime;

import dev.edl.runtime.data.PredictionWriter;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Prediction of a trained model's outputs for data, as {@code elasticdl predict} does: a job without training.
 *
 * <p>The data need no labels; labels are ignored.
 *
 * <pre>{@code
 * Prediction prediction = Prediction.builder()
 *     .model(Mlp.of(64, 32, 10))
 *     .from(Path.of("model.npz"))
 *     .data(records)
 *     .to(PredictionWriter.npy(Path.of("out.npy")))
 *     .build();
 * try (PassExecutor<PredictionResult> executor = InProcessExecutor.of(prediction);
 *      PassRun<PredictionResult> run = executor.submit(job)) {
 *   run.awaitResult(Duration.ofMinutes(5));
 * }
 * }</pre>
 *
 * <p>The same prediction runs as processes or pods by {@link dev.edl.runtime.program.TrainingProgram#predict}.
 *
 * <p>The outputs of each record are written exactly once, even if replicas die. If a worker dies, its outputs are
 * computed again, but the master accepts each task once and writes only then. Immutable.
 */
public final class Prediction {
    private final PassSpec spec;
    private final PredictionWriter writer;

    private Prediction(PassSpec spec, PredictionWriter writer) {
        this.spec = spec;
        this.writer = writer;
    }

    /** Returns a builder; it requires a model, its parameters, data and a writer. */
    public static Builder builder() {
        return new Builder();
    }

    public PassSpec pass() {
        return spec;
    }

    /** Returns the writer of the outputs. */
    public PredictionWriter writer() {
        return writer;
    }

    /** Returns, for example, {@code prediction of 360 records, minibatch 64, to out.npy}. */
    @Override
    public String toString() {
        return "prediction of " + spec + ", to " + writer;
    }

    /** Builder of a {@link Prediction}; {@link #build()} reports every mistake in one exception. */
    public static final class Builder extends PassBuilder<Builder> {
        private @Nullable PredictionWriter writer;

        private Builder() {}

        @Override
        protected Builder self() {
            return this;
        }

        /** Sets the writer of the outputs. Required. */
        public Builder to(PredictionWriter newWriter) {
            this.writer = Objects.requireNonNull(newWriter, "to");
            return this;
        }

        /**
         * Builds the prediction.
         *
         * @throws IllegalArgumentException when a setting is missing or invalid; the message has every mistake
         */
        public Prediction build() {
            PredictionWriter target = writer;
            PassSpec checked = pass(
                    "prediction",
                    true,
                    target == null
                            ? List.of("to is missing: where the outputs go, for example"
                                    + " .to(PredictionWriter.npy(Path.of(\"out.npy\")))")
                            : List.of());
            return new Prediction(checked, Objects.requireNonNull(target));
        }
    }
}
