package dev.edl.runtime.zoo.internal.layers;

import static dev.edl.runtime.zoo.internal.layers.Winograd.KERNEL;
import static dev.edl.runtime.zoo.internal.layers.Winograd.PRODUCTS;

import java.util.Arrays;

/** Kernel of a {@link WinogradConvolution} as 6 x 6 factors of [channels, filters], and its gradient. */
final class WinogradKernel implements AutoCloseable {
    private final int channels;
    private final int filters;
    private final NativeFloats factors;
    private final NativeFloats factorGradients;
    private final float[] weights = Winograd.weights();
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
            for (int i = 0; i < KERNEL * n; i++) {
                half[u * KERNEL * n + i] = weights[u * KERNEL] * parameters[offset + i]
                        + weights[u * KERNEL + 1] * parameters[offset + KERNEL * n + i]
                        + weights[u * KERNEL + 2] * parameters[offset + 2 * KERNEL * n + i];
            }
        }
        for (int u = 0; u < PRODUCTS; u++) {
            for (int v = 0; v < PRODUCTS; v++) {
                int from = u * KERNEL * n;
                int to = (u * PRODUCTS + v) * n;
                for (int i = 0; i < n; i++) {
                    all[to + i] = weights[v * KERNEL] * half[from + i]
                            + weights[v * KERNEL + 1] * half[from + n + i]
                            + weights[v * KERNEL + 2] * half[from + 2 * n + i];
                }
            }
        }
        factors.put(all, 0, all.length);
    }

    /** Sets the kernel's gradient to 0. */
    void startGradient() {
        factorGradients.clear();
    }

    /** Writes the kernel's gradient, [3, 3, channels, filters], computed as G' dU G. */
    void gradient(float[] gradient, int offset) {
        int n = channels * filters;
        factorGradients.get(all, 0, all.length);
        Arrays.fill(half, 0);
        for (int u = 0; u < PRODUCTS; u++) {
            for (int v = 0; v < PRODUCTS; v++) {
                for (int kx = 0; kx < KERNEL; kx++) {
                    add(all, (u * PRODUCTS + v) * n, weights[v * KERNEL + kx], half, (u * KERNEL + kx) * n, n);
                }
            }
        }
        Arrays.fill(gradient, offset, offset + KERNEL * KERNEL * n, 0);
        for (int u = 0; u < PRODUCTS; u++) {
            for (int ky = 0; ky < KERNEL; ky++) {
                int to = offset + ky * KERNEL * n;
                add(half, u * KERNEL * n, weights[u * KERNEL + ky], gradient, to, KERNEL * n);
            }
        }
    }

    private static void add(float[] from, int at, float weight, float[] into, int to, int n) {
        for (int i = 0; i < n; i++) {
            into[to + i] += weight * from[at + i];
        }
    }

    /** Returns one of the kernel's 36 factor matrices. */
    MatrixStack factors(int place) {
        return factors.matrices(1, channels, filters).after(place);
    }

    /** Returns the gradient of one of the kernel's 36 factor matrices. */
    MatrixStack factorGradients(int place) {
        return factorGradients.matrices(1, channels, filters).after(place);
    }

    @Override
    public void close() {
        factors.close();
        factorGradients.close();
    }
}
