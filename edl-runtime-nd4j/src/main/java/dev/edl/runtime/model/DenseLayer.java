package dev.edl.runtime.model;

import org.jspecify.annotations.Nullable;

/**
 * The matrix products of one dense layer on native memory that is allocated once: {@code z = x W}, {@code dW = x' dz},
 * {@code dx = dz W'}.
 *
 * <p>Four matrices suffice: dz takes the place of z, and dx that of x, as soon as those are used up.
 */
final class DenseLayer implements AutoCloseable {
    private final NativeMatrix input;
    private final NativeMatrix kernel;
    private final NativeMatrix output;
    private final NativeMatrix kernelGradient;
    private final int inputs;
    /** By number of rows; the last batch of a shard is often shorter than the others. */
    private final @Nullable Products[] products;

    DenseLayer(int capacity, int inputs, int outputs) {
        this.inputs = inputs;
        input = new NativeMatrix(capacity, inputs);
        kernel = new NativeMatrix(inputs, outputs);
        output = new NativeMatrix(capacity, outputs);
        kernelGradient = new NativeMatrix(inputs, outputs);
        products = new @Nullable Products[capacity + 1];
    }

    /** Writes {@code x W} to {@code z}; the kernel stands in the parameters from {@code offset}. */
    void forward(float[] parameters, int offset, float[] x, int rows, float[] z) {
        kernel.put(parameters, offset, inputs);
        input.put(x, 0, rows);
        products(rows).forward.run();
        output.get(z, 0, rows);
    }

    /**
     * Writes the kernel's gradient into {@code gradient} from {@code offset}; to be called once after each forward.
     *
     * @param dx where the gradient by the layer's input goes; null when nobody needs it
     */
    void backward(float[] dz, int rows, float[] gradient, int offset, float @Nullable [] dx) {
        output.put(dz, 0, rows);
        products(rows).kernelGradient.run();
        kernelGradient.get(gradient, offset, inputs);
        if (dx != null) {
            products(rows).inputGradient.run();
            input.get(dx, 0, rows);
        }
    }

    private Products products(int rows) {
        Products found = products[rows];
        if (found == null) {
            found = new Products(
                    new MatrixProduct(input.rows(rows), false, kernel.whole(), false, output.rows(rows)),
                    new MatrixProduct(input.rows(rows), true, output.rows(rows), false, kernelGradient.whole()),
                    new MatrixProduct(output.rows(rows), false, kernel.whole(), true, input.rows(rows)));
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
