package dev.edl.bench.runtime;

import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;

/** Worker that computes without a training, by default with the same batch and parameters at each step. */
public final class StandaloneWorker implements AutoCloseable {
    private final Model.Session session;
    private final float[] parameters;
    private final Batch batch;
    private final float[] gradient;

    public StandaloneWorker(BenchmarkModel of, int records) {
        session = of.model().open(records);
        parameters = of.parameters();
        batch = of.batch(records);
        gradient = new float[of.model().layout().size()];
    }

    /** Computes one gradient, forward and backward, on the worker's own batch; returns the loss. */
    public float step() {
        return step(batch);
    }

    /** Computes one gradient, forward and backward, on another batch; returns the loss. */
    float step(Batch other) {
        return session.gradient(parameters, other, gradient);
    }

    float[] parameters() {
        return parameters;
    }

    Batch batch() {
        return batch;
    }

    /** Returns the gradient of the last step. */
    public float[] gradient() {
        return gradient;
    }

    @Override
    public void close() {
        session.close();
    }
}
