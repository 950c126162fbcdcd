package dev.edl.runtime.model;

/**
 * The three matrices of the minimal filtering F(4, 3): four outputs of a correlation with three weights take six
 * products instead of twelve, {@code y = A' ((G g) * (B' d))} for six inputs d; in two dimensions a tile of 4 x 4 outputs
 * takes 36 products instead of 144.
 *
 * <p>They follow from five points (and infinity) by Toom and Cook's scheme; see Lavin and Gray, "Fast algorithms for
 * convolutional neural networks", CVPR 2016. The choice of points decides how much rounding grows; Barabasz, Anderson,
 * Soodhalter and Gregg, "Error analysis and improving the accuracy of Winograd convolution for deep neural networks", ACM
 * TOMS 46 (2020), compare them. All matrices are row-major.
 */
final class WinogradMatrices {
    /** Outputs of a tile in one dimension. */
    static final int TILE = 4;
    /** Weights of a kernel in one dimension. */
    static final int KERNEL = 3;
    /** Inputs of a tile, and products, in one dimension. */
    static final int PRODUCTS = TILE + KERNEL - 1;

    private static final double[] POINTS = {0, 1, -1, 0.5, -2};

    /** A', 4 x 6: products to outputs. */
    static final float[] OUTPUTS = outputs();
    /** A, 6 x 4: gradients by outputs to gradients by products. */
    static final float[] OUTPUTS_TRANSPOSED = transposed(OUTPUTS, TILE, PRODUCTS);
    /** B', 6 x 6: inputs to factors. */
    static final float[] INPUTS = inputs();
    /** B, 6 x 6: gradients by factors to gradients by inputs. */
    static final float[] INPUTS_TRANSPOSED = transposed(INPUTS, PRODUCTS, PRODUCTS);
    /** G, 6 x 3: weights to factors. */
    static final float[] WEIGHTS = weights();
    /** G', 3 x 6: gradients by factors to gradients by weights. */
    static final float[] WEIGHTS_TRANSPOSED = transposed(WEIGHTS, PRODUCTS, KERNEL);

    private WinogradMatrices() {}

    private static float[] outputs() {
        float[] matrix = new float[TILE * PRODUCTS];
        for (int i = 0; i < TILE; i++) {
            for (int j = 0; j < POINTS.length; j++) {
                matrix[i * PRODUCTS + j] = (float) Math.pow(POINTS[j], i);
            }
        }
        matrix[TILE * PRODUCTS - 1] = 1;
        return matrix;
    }

    private static float[] inputs() {
        float[] matrix = new float[PRODUCTS * PRODUCTS];
        for (int j = 0; j < PRODUCTS; j++) {
            double[] polynomial = productOfOthers(j);
            for (int i = 0; i < polynomial.length; i++) {
                matrix[j * PRODUCTS + i] = (float) polynomial[i];
            }
        }
        return matrix;
    }

    private static float[] weights() {
        float[] matrix = new float[PRODUCTS * KERNEL];
        for (int j = 0; j < POINTS.length; j++) {
            double scale = 1;
            for (int l = 0; l < POINTS.length; l++) {
                scale *= l == j ? 1 : POINTS[j] - POINTS[l];
            }
            for (int k = 0; k < KERNEL; k++) {
                matrix[j * KERNEL + k] = (float) (Math.pow(POINTS[j], k) / scale);
            }
        }
        matrix[PRODUCTS * KERNEL - 1] = 1;
        return matrix;
    }

    /** Coefficients, constant first, of the product of (x - p) over all points p but one. */
    private static double[] productOfOthers(int one) {
        double[] polynomial = new double[PRODUCTS];
        polynomial[0] = 1;
        for (int l = 0; l < POINTS.length; l++) {
            if (l != one) {
                for (int i = PRODUCTS - 1; i > 0; i--) {
                    polynomial[i] = polynomial[i - 1] - POINTS[l] * polynomial[i];
                }
                polynomial[0] *= -POINTS[l];
            }
        }
        return polynomial;
    }

    private static float[] transposed(float[] matrix, int rows, int columns) {
        float[] transposed = new float[matrix.length];
        for (int r = 0; r < rows; r++) {
            for (int c = 0; c < columns; c++) {
                transposed[c * rows + r] = matrix[r * columns + c];
            }
        }
        return transposed;
    }
}
