package dev.edl.runtime.model;

/**
 * Weighted sums of stretches of floats, the inner loops of a Winograd convolution.
 *
 * <p>One store and one index for each loop, no branch: that is what HotSpot turns into vector instructions. A weight of 0
 * costs as much as another.
 */
final class Combination {
    private Combination() {}

    /** {@code out[o+i] = w[r] in[p+i] + w[r+1] in[p+step+i] + w[r+2] in[p+2*step+i]}. */
    static void three(float[] out, int o, float[] in, int p, int step, float[] w, int r, int n) {
        float w0 = w[r];
        float w1 = w[r + 1];
        float w2 = w[r + 2];
        int p1 = p + step;
        int p2 = p1 + step;
        for (int i = 0; i < n; i++) {
            out[o + i] = w0 * in[p + i] + w1 * in[p1 + i] + w2 * in[p2 + i];
        }
    }

    /** {@code out[o+i]} = the sum of {@code w[r+k] in[p+k*step+i]} for k from 0 to 3. */
    static void four(float[] out, int o, float[] in, int p, int step, float[] w, int r, int n) {
        float w0 = w[r];
        float w1 = w[r + 1];
        float w2 = w[r + 2];
        float w3 = w[r + 3];
        int p1 = p + step;
        int p2 = p1 + step;
        int p3 = p2 + step;
        for (int i = 0; i < n; i++) {
            out[o + i] = w0 * in[p + i] + w1 * in[p1 + i] + (w2 * in[p2 + i] + w3 * in[p3 + i]);
        }
    }

    /** {@code out[o+i]} = the sum of {@code w[r+k] in[4k+column][p+i]} for k from 0 to 3. */
    static void fourPlanes(float[] out, int o, float[][] in, int column, int p, float[] w, int r, int n) {
        float[] a = in[column];
        float[] b = in[4 + column];
        float[] c = in[8 + column];
        float[] d = in[12 + column];
        float w0 = w[r];
        float w1 = w[r + 1];
        float w2 = w[r + 2];
        float w3 = w[r + 3];
        for (int i = 0; i < n; i++) {
            out[o + i] = w0 * a[p + i] + w1 * b[p + i] + (w2 * c[p + i] + w3 * d[p + i]);
        }
    }

    /** {@code out[o+i]} = the sum of {@code w[r+k] in[p+k*step+i]} for k from 0 to 5. */
    static void six(float[] out, int o, float[] in, int p, int step, float[] w, int r, int n) {
        wrapped(out, o, in, p, step, p + 4 * step, w, r, n);
    }

    /** As {@link #six}, added to what is there. */
    static void addSix(float[] out, int o, float[] in, int p, int step, float[] w, int r, int n) {
        float w0 = w[r];
        float w1 = w[r + 1];
        float w2 = w[r + 2];
        float w3 = w[r + 3];
        float w4 = w[r + 4];
        float w5 = w[r + 5];
        int p1 = p + step;
        int p2 = p1 + step;
        int p3 = p2 + step;
        int p4 = p3 + step;
        int p5 = p4 + step;
        for (int i = 0; i < n; i++) {
            out[o + i] += (w0 * in[p + i] + w1 * in[p1 + i])
                    + (w2 * in[p2 + i] + w3 * in[p3 + i])
                    + (w4 * in[p4 + i] + w5 * in[p5 + i]);
        }
    }

    /** As {@link #six}, but that the fifth and sixth stretch start at {@code q} and {@code q + step}. */
    static void wrapped(float[] out, int o, float[] in, int p, int step, int q, float[] w, int r, int n) {
        float w0 = w[r];
        float w1 = w[r + 1];
        float w2 = w[r + 2];
        float w3 = w[r + 3];
        float w4 = w[r + 4];
        float w5 = w[r + 5];
        int p1 = p + step;
        int p2 = p1 + step;
        int p3 = p2 + step;
        int q1 = q + step;
        for (int i = 0; i < n; i++) {
            out[o + i] = (w0 * in[p + i] + w1 * in[p1 + i])
                    + (w2 * in[p2 + i] + w3 * in[p3 + i])
                    + (w4 * in[q + i] + w5 * in[q1 + i]);
        }
    }

    /** {@code out[o+i] = max(0, bias[i] + the sum of six(...))}; hands a NaN on. */
    static void sixBiasRelu(float[] out, int o, float[] in, int p, int step, float[] w, int r, float[] bias, int n) {
        float w0 = w[r];
        float w1 = w[r + 1];
        float w2 = w[r + 2];
        float w3 = w[r + 3];
        float w4 = w[r + 4];
        float w5 = w[r + 5];
        int p1 = p + step;
        int p2 = p1 + step;
        int p3 = p2 + step;
        int p4 = p3 + step;
        int p5 = p4 + step;
        for (int i = 0; i < n; i++) {
            out[o + i] = Math.max(
                    (w0 * in[p + i] + w1 * in[p1 + i])
                            + (w2 * in[p2 + i] + w3 * in[p3 + i])
                            + (w4 * in[p4 + i] + w5 * in[p5 + i])
                            + bias[i],
                    0f);
        }
    }
}
