package dev.edl.runtime.zoo.internal.layers;

/** Rectifier max(x, 0) and its derivative, in loops that HotSpot vectorises. */
public final class Relu {
    private Relu() {}

    /** Rectifies in place; unlike a comparison, max propagates NaN, so that it is noticed. */
    static void apply(float[] x, int n) {
        for (int i = 0; i < n; i++) {
            x[i] = Math.max(x[i], 0f);
        }
    }

    /** Adds a bias, one value for each element, and rectifies in place. */
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

    /** Returns 1 for a positive number, 0 for 0 and NaN for NaN, without a branch; less than 1 below 1e-38. */
    static float positive(float rectified) {
        return Math.min(rectified * Float.MAX_VALUE, 1f);
    }
}
