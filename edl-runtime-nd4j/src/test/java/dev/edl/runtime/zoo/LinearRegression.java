package dev.edl.runtime.zoo;

import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Metric;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.ParameterLayout;
import java.util.Arrays;
import java.util.List;

/** y = w x + b by the mean squared error. */
record LinearRegression(int features) implements Model {
    @Override
    public ParameterLayout layout() {
        return ParameterLayout.builder().add("w", features).add("b", 1).build();
    }

    @Override
    public int labels() {
        return 1;
    }

    @Override
    public int outputs() {
        return 1;
    }

    @Override
    public List<Metric> metrics() {
        return List.of(Metric.meanSquaredError());
    }

    @Override
    public void initialize(float[] parameters, long seed) {
        Arrays.fill(parameters, 0f);
    }

    @Override
    public Session open(int capacity) {
        return new Session() {
            private final float[] answers = new float[capacity];

            @Override
            public float gradient(float[] parameters, Batch batch, float[] gradient) {
                predict(parameters, batch, answers);
                Arrays.fill(gradient, 0f);
                double loss = 0;
                for (int row = 0; row < batch.size(); row++) {
                    float error = answers[row] - batch.labels()[row];
                    loss += error * error / batch.size();
                    float delta = 2 * error / batch.size();
                    for (int i = 0; i < features; i++) {
                        gradient[i] += delta * batch.features()[row * features + i];
                    }
                    gradient[features] += delta;
                }
                return (float) loss;
            }

            @Override
            public void predict(float[] parameters, Batch batch, float[] outputs) {
                for (int row = 0; row < batch.size(); row++) {
                    float sum = parameters[features];
                    for (int i = 0; i < features; i++) {
                        sum += parameters[i] * batch.features()[row * features + i];
                    }
                    outputs[row] = sum;
                }
            }

            @Override
            public void close() {}
        };
    }
}
