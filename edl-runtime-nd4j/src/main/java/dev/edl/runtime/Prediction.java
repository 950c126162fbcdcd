package dev.edl.runtime;

import dev.edl.runtime.data.PredictionWriter;
import dev.edl.runtime.engine.pass.PassBuilder;
import dev.edl.runtime.engine.pass.PassSpec;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Computes the outputs of a trained model for data, as {@code elasticdl predict} does: a job of its own, without
 * training. The data need no labels; those that are there are not looked at.
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
 * <p>The outputs of each record are written exactly once, whatever is killed: they are computed more than once when a
 * worker dies, but delivered when the master accepts the task, which it does once. Immutable.
 */
public final class Prediction {
    private final PassSpec spec;
    private final PredictionWriter writer;

    private Prediction(PassSpec spec, PredictionWriter writer) {
        this.spec = spec;
        this.writer = writer;
    }

    /** Starts a prediction; a model, its parameters, data and a writer are required. */
    public static Builder builder() {
        return new Builder();
    }

    public PassSpec pass() {
        return spec;
    }

    /** Where the outputs go. */
    public PredictionWriter writer() {
        return writer;
    }

    /** For example {@code prediction of 360 records, minibatch 64, to out.npy}. */
    @Override
    public String toString() {
        return "prediction of " + spec + ", to " + writer;
    }

    /** Composes a {@link Prediction}; {@link #build()} reports every mistake in one exception. */
    public static final class Builder extends PassBuilder<Builder> {
        private @Nullable PredictionWriter writer;

        private Builder() {}

        @Override
        protected Builder self() {
            return this;
        }

        /** Where the outputs go. Required. */
        public Builder to(PredictionWriter newWriter) {
            this.writer = Objects.requireNonNull(newWriter, "to");
            return this;
        }

        /**
         * The prediction.
         *
         * @throws IllegalArgumentException with every mistake
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
