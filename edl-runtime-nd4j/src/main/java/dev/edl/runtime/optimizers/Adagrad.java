package dev.edl.runtime.optimizers;

import java.util.List;

/** Adagrad; see {@link Optimizer#adagrad(float, float)} for the rule. */
final class Adagrad extends Optimizer {
    static final float LEARNING_RATE = 0.001f;
    static final float EPSILON = 1e-7f;

    private final float epsilon;

    Adagrad(float learningRate, float epsilon) {
        super(learningRate);
        if (!(epsilon > 0) || Float.isInfinite(epsilon)) {
            throw new IllegalArgumentException("epsilon must be a finite number above 0, was " + epsilon
                    + "; for example adagrad:learning_rate=0.1,epsilon=1.0E-7");
        }
        this.epsilon = epsilon;
    }

    @Override
    public Adagrad withLearningRate(float learningRate) {
        return new Adagrad(learningRate, epsilon);
    }

    @Override
    public List<String> slots() {
        return List.of("accumulator");
    }

    @Override
    public boolean countsSteps() {
        return false;
    }

    @Override
    public void apply(
            float[] weights, float[][] slots, float rate, float[] gradient, int gradientOffset, int from, int to) {
        update(weights, slots[0], AlignedGradient.of(gradient, gradientOffset, from, to), from, to, rate, epsilon);
    }

    // All arrays have one index, so that HotSpot vectorises the loop.
    private static void update(float[] p, float[] sum, float[] g, int from, int to, float rate, float epsilon) {
        for (int i = from; i < to; i++) {
            float gradient = g[i];
            float squares = sum[i] + gradient * gradient;
            sum[i] = squares;
            p[i] -= rate * gradient / ((float) Math.sqrt(squares) + epsilon);
        }
    }

    /** Returns, for example, {@code adagrad:learning_rate=0.1,epsilon=1.0E-7}. */
    @Override
    public String toString() {
        return "adagrad:learning_rate=" + learningRate() + ",epsilon=" + epsilon;
    }
}
