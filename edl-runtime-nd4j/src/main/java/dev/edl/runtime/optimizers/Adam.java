package dev.edl.runtime.optimizers;

import java.util.List;

/**
 * Adam and AMSGrad; see {@link Optimizer#adam(float, float, float, float)} and
 * {@link Optimizer#amsgrad(float, float, float, float)} for the rules.
 */
final class Adam extends Optimizer {
    static final float LEARNING_RATE = 0.001f;
    static final float BETA_1 = 0.9f;
    static final float BETA_2 = 0.999f;
    static final float EPSILON = 1e-7f;

    /** Number of floats in a block: 8 KiB in each of four arrays, about the size of a first-level cache. */
    private static final int BLOCK = 2048;

    private final float beta1;
    private final float beta2;
    private final float epsilon;
    private final boolean amsgrad;

    Adam(float learningRate, float beta1, float beta2, float epsilon, boolean amsgrad) {
        super(learningRate);
        requireBeta("beta_1", beta1);
        requireBeta("beta_2", beta2);
        if (!(epsilon > 0) || Float.isInfinite(epsilon)) {
            throw new IllegalArgumentException("epsilon must be a finite number above 0, was " + epsilon
                    + "; for example adam:learning_rate=0.001,epsilon=1.0E-7");
        }
        this.beta1 = beta1;
        this.beta2 = beta2;
        this.epsilon = epsilon;
        this.amsgrad = amsgrad;
    }

    private static void requireBeta(String name, float value) {
        if (!(value >= 0 && value < 1)) {
            throw new IllegalArgumentException(name + " must be at least 0 and below 1, was " + value
                    + "; for example adam:learning_rate=0.001,beta_1=0.9,beta_2=0.999");
        }
    }

    @Override
    public Adam withLearningRate(float learningRate) {
        return new Adam(learningRate, beta1, beta2, epsilon, amsgrad);
    }

    @Override
    public List<String> slots() {
        return amsgrad ? List.of("m", "v", "vhat") : List.of("m", "v");
    }

    @Override
    public boolean countsSteps() {
        return true;
    }

    @Override
    public float rate(float learningRate, long step) {
        // Computed in double, because 1 - beta2^t loses most of float's digits in the first steps.
        double t = (double) step;
        return (float) (learningRate * Math.sqrt(1 - Math.pow(beta2, t)) / (1 - Math.pow(beta1, t)));
    }

    @Override
    public void apply(
            float[] weights, float[][] slots, float rate, float[] gradient, int gradientOffset, int from, int to) {
        float[] m = slots[0];
        float[] v = slots[1];
        float[] g = AlignedGradient.of(gradient, gradientOffset, from, to);
        if (!amsgrad) {
            update(weights, m, v, g, from, to, rate, beta1, beta2, epsilon);
            return;
        }
        for (int at = from; at < to; at += BLOCK) {
            int end = Math.min(to, at + BLOCK);
            average(m, v, g, at, end, beta1, beta2);
            largest(slots[2], v, at, end);
            move(weights, m, slots[2], at, end, rate, epsilon);
        }
    }

    // All arrays have the same index, so HotSpot 17 vectorises the whole rule in one loop. It does not for AMSGrad,
    // which has one array more; that uses three smaller loops over a block that stays in the cache.

    private static void update(
            float[] p,
            float[] m,
            float[] v,
            float[] g,
            int from,
            int to,
            float rate,
            float beta1,
            float beta2,
            float epsilon) {
        float rest1 = 1 - beta1;
        float rest2 = 1 - beta2;
        for (int i = from; i < to; i++) {
            float gradient = g[i];
            float mean = beta1 * m[i] + rest1 * gradient;
            float square = beta2 * v[i] + rest2 * gradient * gradient;
            m[i] = mean;
            v[i] = square;
            p[i] -= rate * mean / ((float) Math.sqrt(square) + epsilon);
        }
    }

    private static void average(float[] m, float[] v, float[] g, int from, int to, float beta1, float beta2) {
        float rest1 = 1 - beta1;
        float rest2 = 1 - beta2;
        for (int i = from; i < to; i++) {
            float gradient = g[i];
            m[i] = beta1 * m[i] + rest1 * gradient;
            v[i] = beta2 * v[i] + rest2 * gradient * gradient;
        }
    }

    private static void largest(float[] vhat, float[] v, int from, int to) {
        for (int i = from; i < to; i++) {
            vhat[i] = Math.max(vhat[i], v[i]);
        }
    }

    private static void move(float[] p, float[] m, float[] v, int from, int to, float rate, float epsilon) {
        for (int i = from; i < to; i++) {
            p[i] -= rate * m[i] / ((float) Math.sqrt(v[i]) + epsilon);
        }
    }

    /** Returns, for example, {@code adam:learning_rate=0.001,beta_1=0.9,beta_2=0.999,epsilon=1.0E-7}. */
    @Override
    public String toString() {
        return "adam:learning_rate=" + learningRate() + ",beta_1=" + beta1 + ",beta_2=" + beta2 + ",epsilon=" + epsilon
                + (amsgrad ? ",amsgrad=true" : "");
    }
}
