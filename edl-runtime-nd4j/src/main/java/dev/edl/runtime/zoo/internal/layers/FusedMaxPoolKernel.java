package dev.edl.runtime.zoo.internal.layers;

/**
 * Maximum over 2 x 2 values in four planes, after an affine function of each channel.
 *
 * <p>Pooling before the function gives the same result with less work: with a positive scale the largest value stays
 * the largest, with a negative one the smallest becomes it. A gradient goes to the first of equal values in row-major
 * order, as in TensorFlow.
 */
final class FusedMaxPoolKernel {
    private FusedMaxPoolKernel() {}

    /** Writes, of each four values, the value with the largest result of the affine function. */
    static void forward(float[] a, float[] b, float[] c, float[] d, BatchNormalization behind, float[] out, int n) {
        if (!behind.falls()) {
            largest(a, b, c, d, out, n);
            return;
        }
        float[] scale = behind.scale();
        for (int i = 0; i < n; i++) {
            float most = Math.max(Math.max(a[i], b[i]), Math.max(c[i], d[i]));
            float least = Math.min(Math.min(a[i], b[i]), Math.min(c[i], d[i]));
            out[i] = scale[i] < 0 ? least : most;
        }
    }

    private static void largest(float[] a, float[] b, float[] c, float[] d, float[] out, int n) {
        for (int i = 0; i < n; i++) {
            out[i] = Math.max(Math.max(a[i], b[i]), Math.max(c[i], d[i]));
        }
    }

    /**
     * Moves the part of a gradient that belongs to one of the four planes from {@code left} to {@code taken}.
     *
     * @param left gradient of the chosen values, without the parts that earlier planes took
     * @param taken part of the gradient that belongs to this plane, overwritten
     */
    static void backward(float[] plane, float[] chosen, float[] left, float[] taken, int n) {
        for (int i = 0; i < n; i++) {
            float other = Math.min(Math.abs(plane[i] - chosen[i]) * Float.MAX_VALUE, 1f);
            float before = left[i];
            float after = before * other;
            left[i] = after;
            taken[i] = before - after;
        }
    }
}
