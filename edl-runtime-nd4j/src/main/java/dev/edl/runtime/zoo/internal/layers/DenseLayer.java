package dev.edl.runtime.zoo.internal.layers;

import dev.edl.runtime.model.Batch;
import org.jspecify.annotations.Nullable;

/**
 * Dense layer on native memory that is allocated once.
 *
 * <p>Four matrices suffice: dz replaces z, and dx replaces x, as soon as those are no longer needed.
 */
public final class DenseLayer implements DenseMatrixProducts {
    private final NativeFloats input;
    private final NativeFloats kernel;
    private final NativeFloats output;
    private final NativeFloats kernelGradient;
    private final int inputs;
    private final int outputs;
    /** Matrix products by number of rows, since the last batch of a shard is often shorter than the others. */
    private final @Nullable Products[] products;

    public DenseLayer(int capacity, int inputs, int outputs) {
        this.inputs = inputs;
        this.outputs = outputs;
        input = new NativeFloats(Math.multiplyExact(capacity, inputs));
        kernel = new NativeFloats(Math.multiplyExact(inputs, outputs));
        output = new NativeFloats(Math.multiplyExact(capacity, outputs));
        kernelGradient = new NativeFloats(Math.multiplyExact(inputs, outputs));
        products = new @Nullable Products[capacity + 1];
    }

    @Override
    public void forward(float[] parameters, int offset, float[] x, int rows, float[] z) {
        kernel.put(parameters, offset, inputs * outputs);
        forward(x, rows, z);
    }

    /**
     * Copies a part of the kernel, {@code values[from .. from + count)}, to native memory, starting at the kernel's
     * float {@code to}.
     */
    public void load(float[] values, int from, int to, int count) {
        kernel.putAt(to, values, from, count);
    }

    /** Writes {@code x W} to {@code z}, with the loaded kernel. */
    public void forward(float[] x, int rows, float[] z) {
        input.put(x, 0, rows * inputs);
        forward(rows, z);
    }

    /** Writes {@code x W} to {@code z}, where {@code x} are the features of a batch, with the loaded kernel. */
    public void forward(Batch batch, float[] z) {
        input.put(batch);
        forward(batch.size(), z);
    }

    private void forward(int rows, float[] z) {
        products(rows).forward.run();
        output.get(z, 0, rows * outputs);
    }

    @Override
    public void backward(float[] dz, int rows, float[] gradient, int offset, float @Nullable [] dx) {
        output.put(dz, 0, rows * outputs);
        products(rows).kernelGradient.run();
        kernelGradient.get(gradient, offset, inputs * outputs);
        if (dx != null) {
            products(rows).inputGradient.run();
            input.get(dx, 0, rows * inputs);
        }
    }

    private Products products(int rows) {
        Products found = products[rows];
        if (found == null) {
            MatrixStack x = input.matrices(1, rows, inputs);
            MatrixStack w = kernel.matrices(1, inputs, outputs);
            MatrixStack dw = kernelGradient.matrices(1, inputs, outputs);
            MatrixStack z = output.matrices(1, rows, outputs);
            found = new Products(
                    MatrixProduct.of(x, false, w, false, z, false),
                    MatrixProduct.of(x, true, z, false, dw, false),
                    MatrixProduct.of(z, false, w, true, x, false));
            products[rows] = found;
        }
        return found;
    }

    @Override
    public void close() {
        for (Products p : products) {
            if (p != null) {
                p.forward.close();
                p.kernelGradient.close();
                p.inputGradient.close();
            }
        }
        input.close();
        kernel.close();
        output.close();
        kernelGradient.close();
    }

    private record Products(MatrixProduct forward, MatrixProduct kernelGradient, MatrixProduct inputGradient) {}
}
