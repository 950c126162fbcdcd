package dev.edl.runtime.model.internal.layers;

/** The rectifier max(x, 0) and its derivative, in loops that HotSpot turns into vector instructions. */
public final class Relu {
    private Relu() {}

    /** Rectifies in place; unlike a comparison, max hands a NaN on, so that it is noticed. */
    static void apply(float[] x, int n) {
        for (int i = 0; i < n; i++) {
            x[i] = Math.max(x[i], 0f);
        }
    }

    /** Adds a bias, given once for each element, and rectifies in place. */
    public static void apply(float[] x, float[] bias, int n) {
        for (int i = 0; i < n; i++) {
            x[i] = Math.max(x[i] + bias[i], 0f);
        }
    }

    /** Sets a gradient to 0 where the rectified value is 0. */
    public static void backward(float[] rectified, float[] gradient, int n) {
        for (int i = 0; i < n; i++) {
            gradient[i] *= positive(rectified[i]);
        }
    }

    /** 1 for a positive number, 0 for 0, without a branch; NaN for NaN. (Numbers below 1e-38 give less than 1.) */
    static float positive(float rectified) {
        return Math.min(rectified * Float.MAX_VALUE, 1f);
    }
}
