package dev.edl.runtime.zoo.internal.layers;

import dev.edl.runtime.model.Parameter;
import java.util.Arrays;
import java.util.List;

/** One worker's buffers for dense layers with ReLU and a final linear unit without a bias. */
public final class DeepComponentBuffers implements AutoCloseable {
    private final DenseMatrixProducts[] layers;
    private final int[] kernels;
    private final int[] biases;
    private final int[] widths;
    private final float[][] activations;
    private final float[][] deltas;

    /**
     * Creates the layers.
     *
     * @param parameters kernel and bias of each hidden layer, and last the kernel of the linear unit
     */
    public DeepComponentBuffers(List<Parameter> parameters, int capacity) {
        int depth = (parameters.size() + 1) / 2;
        layers = new DenseMatrixProducts[depth];
        kernels = new int[depth];
        biases = new int[depth - 1];
        widths = new int[depth];
        activations = new float[depth][];
        deltas = new float[depth - 1][];
        for (int l = 0; l < depth; l++) {
            Parameter kernel = parameters.get(2 * l);
            kernels[l] = kernel.offset();
            widths[l] = kernel.shape().get(1);
            layers[l] = DenseMatrixProducts.of(capacity, kernel.shape().get(0), widths[l]);
            activations[l] = new float[Math.multiplyExact(capacity, widths[l])];
            if (l < depth - 1) {
                biases[l] = parameters.get(2 * l + 1).offset();
                deltas[l] = new float[activations[l].length];
            }
        }
    }

    /** Adds the linear unit's value to the logit of each record. */
    public void forward(float[] parameters, float[] input, int rows, float[] logits) {
        float[] x = input;
        int last = layers.length - 1;
        for (int l = 0; l <= last; l++) {
            layers[l].forward(parameters, kernels[l], x, rows, activations[l]);
            x = activations[l];
            if (l < last) {
                addBiasAndRelu(x, rows, widths[l], parameters, biases[l]);
            }
        }
        for (int row = 0; row < rows; row++) {
            logits[row] += x[row];
        }
    }

    /**
     * Writes the gradients of the layers' parameters to {@code gradient}, and the gradient of the input to
     * {@code inputDelta}.
     */
    public void backward(float[] logitDelta, int rows, float[] gradient, float[] inputDelta) {
        float[] delta = logitDelta;
        for (int l = layers.length - 1; l >= 0; l--) {
            float[] below = l == 0 ? inputDelta : deltas[l - 1];
            layers[l].backward(delta, rows, gradient, kernels[l], below);
            if (l > 0) {
                maskAndSum(activations[l - 1], rows, widths[l - 1], below, gradient, biases[l - 1]);
            }
            delta = below;
        }
    }

    private static void addBiasAndRelu(float[] z, int rows, int width, float[] parameters, int bias) {
        for (int row = 0; row < rows; row++) {
            int from = row * width;
            for (int j = 0; j < width; j++) {
                // Unlike a comparison, max propagates NaN, so that it is noticed.
                z[from + j] = Math.max(z[from + j] + parameters[bias + j], 0f);
            }
        }
    }

    /** Sets the gradient to 0 where the ReLU was 0, and sums it over the records for the bias. */
    private static void maskAndSum(float[] activation, int rows, int width, float[] delta, float[] gradient, int bias) {
        Arrays.fill(gradient, bias, bias + width, 0f);
        for (int row = 0; row < rows; row++) {
            int from = row * width;
            for (int j = 0; j < width; j++) {
                delta[from + j] = activation[from + j] > 0 ? delta[from + j] : 0;
                gradient[bias + j] += delta[from + j];
            }
        }
    }

    @Override
    public void close() {
        for (DenseMatrixProducts layer : layers) {
            layer.close();
        }
    }
}
