package dev.edl.runtime.inprocess;

import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.ParameterLayout;

/** Two-class logistic regression in plain Java, for runtime tests without a backend. */
public class LogisticModel implements Model {
    private final int features;
    private final ParameterLayout layout;

    public LogisticModel(int features) {
        this.features = features;
        this.layout =
                ParameterLayout.builder().add("weight", features).add("bias", 1).build();
    }

    @Override
    public ParameterLayout layout() {
        return layout;
    }

    @Override
    public int features() {
        return features;
    }

    @Override
    public int labels() {
        return 1;
    }

    @Override
    public int outputs() {
        return 2;
    }

    @Override
    public void initialize(float[] parameters, long seed) {
        java.util.SplittableRandom random = new java.util.SplittableRandom(seed);
        for (int i = 0; i < parameters.length; i++) {
            parameters[i] = (float) (random.nextDouble() - 0.5) / 10;
        }
    }

    @Override
    public Session open(int capacity) {
        return new Session() {
            @Override
            public float gradient(float[] parameters, Batch batch, float[] gradient) {
                return LogisticModel.this.gradient(parameters, batch, gradient);
            }

            @Override
            public void predict(float[] parameters, Batch batch, float[] outputs) {
                for (int r = 0; r < batch.size(); r++) {
                    float p = probability(parameters, batch, r);
                    outputs[2 * r] = 1 - p;
                    outputs[2 * r + 1] = p;
                }
            }

            @Override
            public void close() {}
        };
    }

    public float gradient(float[] parameters, Batch batch, float[] gradient) {
        java.util.Arrays.fill(gradient, 0);
        double loss = 0;
        for (int r = 0; r < batch.size(); r++) {
            float p = probability(parameters, batch, r);
            float y = batch.labels()[r];
            loss -= Math.log(Math.max(1e-7, y == 1 ? p : 1 - p));
            for (int f = 0; f < features; f++) {
                gradient[f] += (p - y) * batch.features()[r * features + f] / batch.size();
            }
            gradient[features] += (p - y) / batch.size();
        }
        return (float) (loss / batch.size());
    }

    private float probability(float[] parameters, Batch batch, int row) {
        double z = parameters[features];
        for (int f = 0; f < features; f++) {
            z += parameters[f] * batch.features()[row * features + f];
        }
        return (float) (1 / (1 + Math.exp(-z)));
    }
}
