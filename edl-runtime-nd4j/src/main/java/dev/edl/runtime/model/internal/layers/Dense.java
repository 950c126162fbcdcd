package dev.edl.runtime.model.internal.layers;

import org.jspecify.annotations.Nullable;

/** The matrix products of one dense layer: {@code z = x W}, {@code dW = x' dz}, {@code dx = dz W'}. */
interface Dense extends AutoCloseable {
    /** Floats of a kernel from which on calling native code pays. */
    int NATIVE_FROM = 512;

    /** Whether a layer of these widths needs ND4J. */
    static boolean isNative(int inputs, int outputs) {
        return (long) inputs * outputs >= NATIVE_FROM;
    }

    /** The faster one for these widths. */
    static Dense of(int capacity, int inputs, int outputs) {
        return isNative(inputs, outputs) ? new DenseLayer(capacity, inputs, outputs) : new PlainDense(inputs, outputs);
    }

    /** Writes {@code x W} to {@code z}; the kernel stands in the parameters from {@code offset}. */
    void forward(float[] parameters, int offset, float[] x, int rows, float[] z);

    /**
     * Writes the kernel's gradient into {@code gradient} from {@code offset}; to be called once after each forward, with
     * the arrays of that as they were.
     *
     * @param dx where the gradient by the layer's input goes; null when it is not needed
     */
    void backward(float[] dz, int rows, float[] gradient, int offset, float @Nullable [] dx);

    @Override
    void close();
}
