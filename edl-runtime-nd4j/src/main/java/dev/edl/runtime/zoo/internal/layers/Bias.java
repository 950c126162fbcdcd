package dev.edl.runtime.zoo.internal.layers;

/** Bias of each column of a matrix, and its gradient, the sum over the rows. */
public final class Bias {
    private Bias() {}

    /** Adds floats to other floats by index. */
    public static void add(float[] x, float[] sums, int n) {
        for (int i = 0; i < n; i++) {
            sums[i] += x[i];
        }
    }

    /** Writes a bias once for each row, so that loops over all rows have one index; n is a multiple of the width. */
    public static void spread(float[] parameters, int offset, int width, float[] lanes, int n) {
        for (int i = 0; i < n; i += width) {
            System.arraycopy(parameters, offset, lanes, i, width);
        }
    }

    /** Writes the gradient of the bias: the sum of the rows of {@code delta}. */
    public static void gradient(float[] delta, int rows, int width, float[] gradient, int offset) {
        System.arraycopy(delta, 0, gradient, offset, width);
        int row = 1;
        for (; row + 4 <= rows; row += 4) {
            int a = row * width;
            int b = a + width;
            int c = b + width;
            int d = c + width;
            for (int j = 0; j < width; j++) {
                gradient[offset + j] += (delta[a + j] + delta[b + j]) + (delta[c + j] + delta[d + j]);
            }
        }
        for (; row < rows; row++) {
            int from = row * width;
            for (int j = 0; j < width; j++) {
                gradient[offset + j] += delta[from + j];
            }
        }
    }
}
