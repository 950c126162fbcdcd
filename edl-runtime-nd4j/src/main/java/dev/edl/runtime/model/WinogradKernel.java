package dev.edl.runtime.model;

import static dev.edl.runtime.model.WinogradMatrices.KERNEL;
import static dev.edl.runtime.model.WinogradMatrices.PRODUCTS;
import static dev.edl.runtime.model.WinogradMatrices.WEIGHTS;
import static dev.edl.runtime.model.WinogradMatrices.WEIGHTS_TRANSPOSED;

/** The kernel of a {@link WinogradConvolution} as 6 x 6 factors of [channels, filters], and its gradient. */
final class WinogradKernel implements AutoCloseable {
    private final int channels;
    private final int filters;
    private final NativeFloats factors;
    private final NativeFloats factorGradients;
    private final float[] all;
    /** By product row and kernel column. */
    private final float[] half;

    WinogradKernel(int channels, int filters) {
        this.channels = channels;
        this.filters = filters;
        all = new float[PRODUCTS * PRODUCTS * channels * filters];
        half = new float[PRODUCTS * KERNEL * channels * filters];
        factors = new NativeFloats(all.length);
        factorGradients = new NativeFloats(all.length);
    }

    /** Computes G g G' from a kernel of [3, 3, channels, filters]. */
    void load(float[] parameters, int offset) {
        int n = channels * filters;
        for (int u = 0; u < PRODUCTS; u++) {
            Combination.three(half, u * KERNEL * n, parameters, offset, KERNEL * n, WEIGHTS, u * KERNEL, KERNEL * n);
        }
        for (int u = 0; u < PRODUCTS; u++) {
            for (int v = 0; v < PRODUCTS; v++) {
                Combination.three(all, (u * PRODUCTS + v) * n, half, u * KERNEL * n, n, WEIGHTS, v * KERNEL, n);
            }
        }
        factors.put(all, 0, all.length);
    }

    /** Sets the gradient to 0. */
    void startGradient() {
        factorGradients.clear();
    }

    /** Writes the gradient, [3, 3, channels, filters]: G' dU G. */
    void gradient(float[] gradient, int offset) {
        int n = channels * filters;
        factorGradients.get(all, 0, all.length);
        for (int u = 0; u < PRODUCTS; u++) {
            for (int kx = 0; kx < KERNEL; kx++) {
                int to = (u * KERNEL + kx) * n;
                Combination.six(half, to, all, u * PRODUCTS * n, n, WEIGHTS_TRANSPOSED, kx * PRODUCTS, n);
            }
        }
        for (int ky = 0; ky < KERNEL; ky++) {
            int to = offset + ky * KERNEL * n;
            Combination.six(gradient, to, half, 0, KERNEL * n, WEIGHTS_TRANSPOSED, ky * PRODUCTS, KERNEL * n);
        }
    }

    /** One row of the factors. */
    MatrixStack factors(int row) {
        return factors.matrices(PRODUCTS, channels, filters).after(row * PRODUCTS);
    }

    /** One row of the gradient by the factors. */
    MatrixStack factorGradients(int row) {
        return factorGradients.matrices(PRODUCTS, channels, filters).after(row * PRODUCTS);
    }

    @Override
    public void close() {
        factors.close();
        factorGradients.close();
    }
}
