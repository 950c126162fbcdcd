package dev.edl.bench.runtime;

import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.ParameterLayout;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Model whose gradients take a fixed time and no processor, like those of an accelerator. The other parts of a worker's
 * step are real: parameters of the given model's size are pulled, and a gradient of that size is pushed. So waiting is
 * measured apart from computing. Loss and gradient are always 0.
 *
 * @param model model whose layout and sizes this one has
 * @param nanos minimum time of a gradient, in nanoseconds
 */
record PacedModel(Model model, long nanos) implements Model {
    /** Returns a model whose gradients take a number of milliseconds. */
    static PacedModel millis(Model model, long millis) {
        return new PacedModel(model, TimeUnit.MILLISECONDS.toNanos(millis));
    }

    @Override
    public ParameterLayout layout() {
        return model.layout();
    }

    @Override
    public int features() {
        return model.features();
    }

    @Override
    public int labels() {
        return model.labels();
    }

    @Override
    public int outputs() {
        return model.outputs();
    }

    @Override
    public void initialize(float[] parameters, long seed) {
        model.initialize(parameters, seed);
    }

    @Override
    public Session open(int capacity) {
        return new PacedSession();
    }

    private final class PacedSession implements Session {
        @Override
        public float gradient(float[] parameters, Batch batch, float[] gradient) {
            long end = System.nanoTime() + nanos;
            Arrays.fill(gradient, 0);
            for (long left = nanos;
                    left > 0 && !Thread.currentThread().isInterrupted();
                    left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            return 0;
        }

        @Override
        public void predict(float[] parameters, Batch batch, float[] outputs) {
            Arrays.fill(outputs, 1f / model.outputs());
        }

        @Override
        public void close() {
            // Nothing to close.
        }
    }
}
