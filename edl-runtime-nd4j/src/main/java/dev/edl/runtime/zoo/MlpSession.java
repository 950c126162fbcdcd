package dev.edl.runtime.zoo;

import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.Parameter;
import dev.edl.runtime.zoo.internal.graph.BatchCheck;
import dev.edl.runtime.zoo.internal.layers.Bias;
import dev.edl.runtime.zoo.internal.layers.DenseLayer;
import dev.edl.runtime.zoo.internal.layers.Relu;
import dev.edl.runtime.zoo.internal.layers.Softmax;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Session that holds one worker's buffers for an {@link Mlp}; after the first batch of each size a step allocates
 * almost nothing.
 */
final class MlpSession implements Model.LoadingSession {
    private final Mlp model;
    private final int capacity;
    private final DenseLayer[] layers;
    private final int[] kernels;
    private final int[] biases;
    private final int[] widths;
    /** Biases of each layer. */
    private final float[][] biasValues;

    /** Scores of each layer after the bias and, except in the last layer, the ReLU. */
    private final float[][] activations;
    /** Gradient of the loss with respect to each layer's scores. */
    private final float[][] deltas;
    /** Bias of one layer, repeated for each row of the batch. */
    private final float[] lanes;

    private boolean closed;

    MlpSession(Mlp model, int capacity) {
        this.model = model;
        this.capacity = capacity;
        List<Parameter> parameters = model.layout().parameters();
        int depth = parameters.size() / 2;
        layers = new DenseLayer[depth];
        kernels = new int[depth];
        biases = new int[depth];
        widths = new int[depth];
        biasValues = new float[depth][];
        activations = new float[depth][];
        deltas = new float[depth][];
        for (int l = 0; l < depth; l++) {
            Parameter kernel = parameters.get(2 * l);
            kernels[l] = kernel.offset();
            biases[l] = parameters.get(2 * l + 1).offset();
            widths[l] = kernel.shape().get(1);
            biasValues[l] = new float[widths[l]];
            layers[l] = new DenseLayer(capacity, kernel.shape().get(0), widths[l]);
            activations[l] = new float[Math.multiplyExact(capacity, widths[l])];
            deltas[l] = new float[activations[l].length];
        }
        lanes = new float
                [Math.multiplyExact(capacity, Arrays.stream(widths).max().orElseThrow())];
    }

    @Override
    public float gradient(float[] parameters, Batch batch, float[] gradient) {
        checkOpen();
        BatchCheck.training(model, capacity, batch, parameters, gradient);
        load(parameters, 0, 0, parameters.length);
        return step(batch, gradient);
    }

    @Override
    public void load(float[] values, int from, int offset, int count) {
        checkOpen();
        Objects.checkFromIndexSize(from, count, values.length);
        Objects.checkFromIndexSize(offset, count, model.layout().size());
        int end = offset + count;
        for (int l = 0; l < layers.length; l++) {
            int first = Math.max(offset, kernels[l]);
            int last = Math.min(end, biases[l]);
            if (first < last) {
                layers[l].load(values, from + first - offset, first - kernels[l], last - first);
            }
            first = Math.max(offset, biases[l]);
            last = Math.min(end, biases[l] + widths[l]);
            if (first < last) {
                System.arraycopy(values, from + first - offset, biasValues[l], first - biases[l], last - first);
            }
        }
    }

    @Override
    public float gradient(Batch batch, float[] gradient) {
        checkOpen();
        BatchCheck.training(model, capacity, batch, gradient);
        return step(batch, gradient);
    }

    private float step(Batch batch, float[] gradient) {
        int rows = batch.size();
        int last = layers.length - 1;
        forward(batch);
        float loss = Softmax.loss(activations[last], batch, widths[last], deltas[last]);
        for (int l = last; l >= 0; l--) {
            Bias.gradient(deltas[l], rows, widths[l], gradient, biases[l]);
            layers[l].backward(deltas[l], rows, gradient, kernels[l], l == 0 ? null : deltas[l - 1]);
            if (l > 0) {
                Relu.backward(activations[l - 1], deltas[l - 1], rows * widths[l - 1]);
            }
        }
        return loss;
    }

    @Override
    public void predict(float[] parameters, Batch batch, float[] outputs) {
        checkOpen();
        BatchCheck.prediction(model, capacity, batch, parameters, outputs);
        load(parameters, 0, 0, parameters.length);
        forward(batch);
        int last = layers.length - 1;
        Softmax.probabilities(activations[last], batch.size(), widths[last], outputs);
    }

    private void forward(Batch batch) {
        for (int l = 0; l < layers.length; l++) {
            float[] z = activations[l];
            if (l == 0) {
                layers[l].forward(batch, z);
            } else {
                layers[l].forward(activations[l - 1], batch.size(), z);
            }
            int n = batch.size() * widths[l];
            Bias.spread(biasValues[l], 0, widths[l], lanes, n);
            if (l < layers.length - 1) {
                Relu.apply(z, lanes, n);
            } else {
                Bias.add(lanes, z, n);
            }
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            for (DenseLayer layer : layers) {
                layer.close();
            }
        }
    }

    /** Returns, for example, {@code session of Mlp[784, 128, 10] for up to 64 records}. */
    @Override
    public String toString() {
        return "session of " + model + " for up to " + capacity + " records";
    }
}
