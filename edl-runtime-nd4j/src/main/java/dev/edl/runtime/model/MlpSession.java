package dev.edl.runtime.model;

import dev.edl.runtime.Batch;
import dev.edl.runtime.Model;
import dev.edl.runtime.Parameter;
import java.util.Arrays;
import java.util.List;

/** One worker's buffers for an {@link Mlp}; after the first batch of each size a step allocates next to nothing. */
final class MlpSession implements Model.Session {
    private final Mlp model;
    private final int capacity;
    private final DenseLayer[] layers;
    private final int[] kernels;
    private final int[] biases;
    private final int[] widths;
    /** By layer: scores, after the bias and, but for the last layer, the ReLU. */
    private final float[][] activations;
    /** By layer: the loss's gradient by the scores. */
    private final float[][] deltas;
    /** A layer's bias, once for each row. */
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
        activations = new float[depth][];
        deltas = new float[depth][];
        for (int l = 0; l < depth; l++) {
            Parameter kernel = parameters.get(2 * l);
            kernels[l] = kernel.offset();
            biases[l] = parameters.get(2 * l + 1).offset();
            widths[l] = kernel.shape().get(1);
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
        int rows = batch.size();
        int last = layers.length - 1;
        forward(parameters, batch);
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
        forward(parameters, batch);
        int last = layers.length - 1;
        Softmax.probabilities(activations[last], batch.size(), widths[last], outputs);
    }

    private void forward(float[] parameters, Batch batch) {
        float[] x = batch.features();
        for (int l = 0; l < layers.length; l++) {
            float[] z = activations[l];
            layers[l].forward(parameters, kernels[l], x, batch.size(), z);
            int n = batch.size() * widths[l];
            Bias.spread(parameters, biases[l], widths[l], lanes, n);
            if (l < layers.length - 1) {
                Relu.apply(z, lanes, n);
            } else {
                Bias.add(lanes, z, n);
            }
            x = z;
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

    /** For example {@code session of Mlp[784, 128, 10] for up to 64 records}. */
    @Override
    public String toString() {
        return "session of " + model + " for up to " + capacity + " records";
    }
}
