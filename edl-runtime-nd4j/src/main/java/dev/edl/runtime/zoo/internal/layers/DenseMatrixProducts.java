package dev.edl.runtime.zoo.internal.layers;

import org.jspecify.annotations.Nullable;

/** Matrix products of one dense layer: {@code z = x W}, {@code dW = x' dz}, {@code dx = dz W'}. */
interface DenseMatrixProducts extends AutoCloseable {
    /** Number of floats in a kernel from which on native code is faster than Java loops. */
    int NATIVE_FROM = 512;

    /** Returns whether a layer of these widths computes on ND4J; if false, it computes in Java loops. */
    static boolean isNative(int inputs, int outputs) {
        return (long) inputs * outputs >= NATIVE_FROM;
    }

    /** Returns the faster implementation for these widths. */
    static DenseMatrixProducts of(int capacity, int inputs, int outputs) {
        return isNative(inputs, outputs)
                ? new DenseLayer(capacity, inputs, outputs)
                : new JavaDenseLayer(inputs, outputs);
    }

    /** Writes {@code x W} to {@code z}; the kernel is in the parameters from {@code offset}. */
    void forward(float[] parameters, int offset, float[] x, int rows, float[] z);

    /**
     * Writes the kernel's gradient into {@code gradient} from {@code offset}.
     *
     * <p>Call it once after each {@link #forward}, and leave the arrays of that call unchanged until then.
     *
     * @param dx receives the gradient of the layer's input; null when it is not needed
     */
    void backward(float[] dz, int rows, float[] gradient, int offset, float @Nullable [] dx);

    @Override
    void close();
}
