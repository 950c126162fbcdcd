package dev.edl.runtime.zoo.internal.layers;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Dense layer in Java loops, for kernels so small that a call of native code costs more than the product. */
final class JavaDenseLayer implements DenseMatrixProducts {
    private final int inputs;
    private final int outputs;
    private float[] parameters = {};
    private float[] x = {};
    private int offset;

    JavaDenseLayer(int inputs, int outputs) {
        this.inputs = inputs;
        this.outputs = outputs;
    }

    @Override
    public void forward(float[] newParameters, int newOffset, float[] newX, int rows, float[] z) {
        parameters = newParameters;
        offset = newOffset;
        x = newX;
        for (int row = 0; row < rows; row++) {
            for (int j = 0; j < outputs; j++) {
                float sum = 0;
                for (int i = 0; i < inputs; i++) {
                    sum += x[row * inputs + i] * parameters[offset + i * outputs + j];
                }
                z[row * outputs + j] = sum;
            }
        }
    }

    @Override
    public void backward(float[] dz, int rows, float[] gradient, int gradientOffset, float @Nullable [] dx) {
        Arrays.fill(gradient, gradientOffset, gradientOffset + inputs * outputs, 0f);
        for (int row = 0; row < rows; row++) {
            for (int i = 0; i < inputs; i++) {
                float sum = 0;
                for (int j = 0; j < outputs; j++) {
                    float d = dz[row * outputs + j];
                    gradient[gradientOffset + i * outputs + j] += x[row * inputs + i] * d;
                    sum += parameters[offset + i * outputs + j] * d;
                }
                if (dx != null) {
                    dx[row * inputs + i] = sum;
                }
            }
        }
    }

    /** Does nothing, because this layer has no native memory. */
    @Override
    public void close() {}
}
