package dev.edl.runtime.zoo.internal.layers;

/**
 * Minimal filtering F(4, 3): four outputs of a correlation with three weights take six products instead of twelve.
 *
 * <p>In one dimension, {@code y = A' ((G g) * (B' d))} for six inputs d. In two dimensions, where each transform runs
 * over rows and then columns, a tile of 4 x 4 outputs takes 36 products instead of 144.
 *
 * <p>The matrices follow from the points 0, +-p, +-q and infinity by Toom and Cook's scheme; see Lavin and Gray, "Fast
 * algorithms for convolutional neural networks", CVPR 2016. The growth of rounding errors depends on the points: see
 * Barabasz, Anderson, Soodhalter and Gregg, "Error analysis and improving the accuracy of Winograd convolution for deep
 * neural networks", ACM TOMS 46 (2020). Points in pairs halve the work, because odd and even parts are shared.
 *
 * <p>Each method transforms many positions at once: operand {@code k} is the array {@code at + k * step}, and all
 * arrays are used from 0 to {@code n}. HotSpot 17 vectorises a loop with one index for all arrays, at most five loads
 * and no branch. It does not with a second offset or a sixth operand.
 */
final class Winograd {
    /** Outputs of a tile in each dimension. */
    static final int TILE = 4;
    /** Weights of the kernel in each dimension. */
    static final int KERNEL = 3;
    /** Inputs of a tile in each dimension, which is also the number of products in one dimension. */
    static final int PRODUCTS = TILE + KERNEL - 1;

    static final float P = 0.75f;
    static final float Q = 1.5f;

    private static final float PP = P * P;
    private static final float QQ = Q * Q;
    private static final float SUM = PP + QQ;
    private static final float PRODUCT = PP * QQ;

    private Winograd() {}

    /**
     * Returns G, 6 x 3, row-major: the values of a weight polynomial at the points, over the product of distances to
     * the others.
     */
    static float[] weights() {
        double[] points = {0, P, -P, Q, -Q};
        float[] matrix = new float[PRODUCTS * KERNEL];
        for (int j = 0; j < points.length; j++) {
            double distances = 1;
            for (int l = 0; l < points.length; l++) {
                distances *= l == j ? 1 : points[j] - points[l];
            }
            for (int k = 0; k < KERNEL; k++) {
                matrix[j * KERNEL + k] = (float) (Math.pow(points[j], k) / distances);
            }
        }
        matrix[PRODUCTS * KERNEL - 1] = 1;
        return matrix;
    }

    /** Converts six inputs to six factors by the matrix B'. */
    static void factors(float[][] in, int at, int step, float[][] out, int to, int toStep, int n) {
        float[] d1 = in[at + step];
        float[] d2 = in[at + 2 * step];
        float[] d3 = in[at + 3 * step];
        float[] d4 = in[at + 4 * step];
        ends(in[at], d2, d4, out[to], n);
        pair(d1, d2, d3, d4, QQ, P, out[to + toStep], out[to + 2 * toStep], n);
        pair(d1, d2, d3, d4, PP, Q, out[to + 3 * toStep], out[to + 4 * toStep], n);
        ends(d1, d3, in[at + 5 * step], out[to + 5 * toStep], n);
    }

    /** Converts six products to four outputs by the matrix A'. */
    static void outputs(float[][] in, int at, int step, float[][] out, int to, int toStep, int n) {
        float[] m1 = in[at + step];
        float[] m2 = in[at + 2 * step];
        float[] m3 = in[at + 3 * step];
        float[] m4 = in[at + 4 * step];
        sums(in[at], 1, m1, m2, 1, m3, m4, 1, out[to], n);
        differences(m1, m2, P, m3, m4, Q, out[to + toStep], n);
        sums(m1, m2, PP, m3, m4, QQ, out[to + 2 * toStep], n);
        differences(in[at + 5 * step], 1, m1, m2, P * PP, m3, m4, Q * QQ, out[to + 3 * toStep], n);
    }

    /** Converts the gradients of four outputs to those of six products by the matrix A. */
    static void productGradients(float[][] in, int at, int step, float[][] out, int to, int toStep, int n) {
        float[] y0 = in[at];
        float[] y1 = in[at + step];
        float[] y2 = in[at + 2 * step];
        float[] y3 = in[at + 3 * step];
        System.arraycopy(y0, 0, out[to], 0, n);
        valuesAt(y0, y1, y2, y3, P, out[to + toStep], out[to + 2 * toStep], n);
        valuesAt(y0, y1, y2, y3, Q, out[to + 3 * toStep], out[to + 4 * toStep], n);
        System.arraycopy(y3, 0, out[to + 5 * toStep], 0, n);
    }

    /** Converts the gradients of six factors to those of six inputs by the matrix B. */
    static void inputGradients(float[][] in, int at, int step, float[][] out, int to, int toStep, int n) {
        float[] v0 = in[at];
        float[] v1 = in[at + step];
        float[] v2 = in[at + 2 * step];
        float[] v3 = in[at + 3 * step];
        float[] v4 = in[at + 4 * step];
        float[] v5 = in[at + 5 * step];
        scaled(v0, PRODUCT, out[to], n);
        differences(v5, PRODUCT, v1, v2, -P * QQ, v3, v4, -Q * PP, out[to + toStep], n);
        sums(v0, -SUM, v1, v2, -QQ, v3, v4, -PP, out[to + 2 * toStep], n);
        differences(v5, -SUM, v1, v2, P, v3, v4, Q, out[to + 3 * toStep], n);
        sums(v0, 1, v1, v2, 1, v3, v4, 1, out[to + 4 * toStep], n);
        System.arraycopy(v5, 0, out[to + 5 * toStep], 0, n);
    }

    private static void ends(float[] a, float[] b, float[] c, float[] out, int n) {
        for (int i = 0; i < n; i++) {
            out[i] = PRODUCT * a[i] - SUM * b[i] + c[i];
        }
    }

    private static void pair(
            float[] d1, float[] d2, float[] d3, float[] d4, float square, float p, float[] plus, float[] minus, int n) {
        for (int i = 0; i < n; i++) {
            float even = d4[i] - square * d2[i];
            float odd = p * (d3[i] - square * d1[i]);
            plus[i] = even + odd;
            minus[i] = even - odd;
        }
    }

    private static void valuesAt(
            float[] y0, float[] y1, float[] y2, float[] y3, float p, float[] plus, float[] minus, int n) {
        float pp = p * p;
        for (int i = 0; i < n; i++) {
            float even = y0[i] + pp * y2[i];
            float odd = p * (y1[i] + pp * y3[i]);
            plus[i] = even + odd;
            minus[i] = even - odd;
        }
    }

    private static void sums(float[] a, float[] b, float p, float[] c, float[] d, float q, float[] out, int n) {
        for (int i = 0; i < n; i++) {
            out[i] = p * (a[i] + b[i]) + q * (c[i] + d[i]);
        }
    }

    private static void differences(float[] a, float[] b, float p, float[] c, float[] d, float q, float[] out, int n) {
        for (int i = 0; i < n; i++) {
            out[i] = p * (a[i] - b[i]) + q * (c[i] - d[i]);
        }
    }

    private static void sums(
            float[] e, float r, float[] a, float[] b, float p, float[] c, float[] d, float q, float[] out, int n) {
        for (int i = 0; i < n; i++) {
            out[i] = r * e[i] + (p * (a[i] + b[i]) + q * (c[i] + d[i]));
        }
    }

    private static void differences(
            float[] e, float r, float[] a, float[] b, float p, float[] c, float[] d, float q, float[] out, int n) {
        for (int i = 0; i < n; i++) {
            out[i] = r * e[i] + (p * (a[i] - b[i]) + q * (c[i] - d[i]));
        }
    }

    private static void scaled(float[] a, float p, float[] out, int n) {
        for (int i = 0; i < n; i++) {
            out[i] = p * a[i];
        }
    }
}
