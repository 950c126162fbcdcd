package dev.edl.runtime.model;

/** Sums over rows, which are the gradients by a bias. */
final class Bias {
    private Bias() {}

    /** Adds floats to as many others. */
    static void add(float[] x, float[] sums, int n) {
        for (int i = 0; i < n; i++) {
            sums[i] += x[i];
        }
    }

    /** Writes the sum of the rows of a matrix. */
    static void gradient(float[] delta, int rows, int width, float[] gradient, int offset) {
        System.arraycopy(delta, 0, gradient, offset, width);
        for (int row = 1; row < rows; row++) {
            int from = row * width;
            for (int j = 0; j < width; j++) {
                gradient[offset + j] += delta[from + j];
            }
        }
    }
}
