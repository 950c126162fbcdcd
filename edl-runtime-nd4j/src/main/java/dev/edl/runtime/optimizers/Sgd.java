package dev.edl.runtime.optimizers;

import java.util.List;

/** Gradient descent, plain, with momentum, or with Nesterov's correction. */
final class Sgd extends Optimizer {
    static final float LEARNING_RATE = 0.01f;

    private final float momentum;
    private final boolean nesterov;

    Sgd(float learningRate, float momentum, boolean nesterov) {
        super(learningRate);
        if (!(momentum >= 0 && momentum < 1)) {
            throw new IllegalArgumentException("momentum must be at least 0 and below 1, was " + momentum
                    + "; for example sgd:learning_rate=0.1,momentum=0.9");
        }
        if (nesterov && momentum == 0) {
            throw new IllegalArgumentException("nesterov=true needs a momentum above 0;"
                    + " for example sgd:learning_rate=0.1,momentum=0.9,nesterov=true");
        }
        this.momentum = momentum;
        this.nesterov = nesterov;
    }

    @Override
    public Sgd withLearningRate(float learningRate) {
        return new Sgd(learningRate, momentum, nesterov);
    }

    @Override
    public List<String> slots() {
        return momentum == 0 ? List.of() : List.of("momentum");
    }

    @Override
    public boolean countsSteps() {
        return false;
    }

    @Override
    public void apply(
            float[] weights, float[][] slots, float rate, float[] gradient, int gradientOffset, int from, int to) {
        float[] g = AlignedGradient.of(gradient, gradientOffset, from, to);
        if (momentum == 0) {
            plain(weights, g, from, to, rate);
        } else if (nesterov) {
            nesterov(weights, slots[0], g, from, to, rate, momentum);
        } else {
            momentum(weights, slots[0], g, from, to, rate, momentum);
        }
    }

    // Each loop is separate, without branches and with one index, so that HotSpot vectorises it.

    private static void plain(float[] p, float[] g, int from, int to, float rate) {
        for (int i = from; i < to; i++) {
            p[i] -= rate * g[i];
        }
    }

    private static void momentum(float[] p, float[] v, float[] g, int from, int to, float rate, float mu) {
        for (int i = from; i < to; i++) {
            float next = mu * v[i] + g[i];
            v[i] = next;
            p[i] -= rate * next;
        }
    }

    private static void nesterov(float[] p, float[] v, float[] g, int from, int to, float rate, float mu) {
        for (int i = from; i < to; i++) {
            float gradient = g[i];
            float next = mu * v[i] + gradient;
            v[i] = next;
            p[i] -= rate * (gradient + mu * next);
        }
    }

    /** Returns, for example, {@code sgd:learning_rate=0.1,momentum=0.9,nesterov=true}. */
    @Override
    public String toString() {
        return "sgd:learning_rate=" + learningRate()
                + (momentum == 0 ? "" : ",momentum=" + momentum)
                + (nesterov ? ",nesterov=true" : "");
    }
}
