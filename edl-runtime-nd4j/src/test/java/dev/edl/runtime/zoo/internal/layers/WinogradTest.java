package dev.edl.runtime.zoo.internal.layers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Against the definition of a correlation; each transposed transform against its own. */
class WinogradTest {
    private static final int N = 37;

    private final SplittableRandom random = new SplittableRandom(8);

    @Test
    void four_outputs_of_three_weights_take_six_products() {
        float[][] inputs = rows(6);
        float[][] factors = new float[6][N];
        float[][] outputs = new float[4][N];
        double[] weights = {0.3, -0.7, 0.9};
        Winograd.factors(inputs, 0, 1, factors, 0, 1, N);
        float[] g = Winograd.weights();
        for (int p = 0; p < 6; p++) {
            for (int i = 0; i < N; i++) {
                factors[p][i] *=
                        (float) (g[3 * p] * weights[0] + g[3 * p + 1] * weights[1] + g[3 * p + 2] * weights[2]);
            }
        }
        Winograd.outputs(factors, 0, 1, outputs, 0, 1, N);
        for (int o = 0; o < 4; o++) {
            for (int i = 0; i < N; i++) {
                double expected = 0;
                for (int k = 0; k < 3; k++) {
                    expected += weights[k] * inputs[o + k][i];
                }
                assertThat((double) outputs[o][i]).isCloseTo(expected, within(2e-6));
            }
        }
    }

    @Test
    void gradients_are_the_transposed_transforms() {
        // For a linear map T and its transpose, (T x) . y = x . (T' y).
        float[][] d = rows(6);
        float[][] v = rows(6);
        float[][] td = new float[6][N];
        float[][] tv = new float[6][N];
        Winograd.factors(d, 0, 1, td, 0, 1, N);
        Winograd.inputGradients(v, 0, 1, tv, 0, 1, N);
        float[][] m = rows(6);
        float[][] y = rows(4);
        float[][] tm = new float[4][N];
        float[][] ty = new float[6][N];
        Winograd.outputs(m, 0, 1, tm, 0, 1, N);
        Winograd.productGradients(y, 0, 1, ty, 0, 1, N);
        for (int i = 0; i < N; i++) {
            assertThat(dot(td, v, i)).isCloseTo(dot(d, tv, i), within(1e-5));
            assertThat(dot(tm, y, i)).isCloseTo(dot(m, ty, i), within(1e-5));
        }
    }

    private float[][] rows(int count) {
        float[][] rows = new float[count][N];
        for (float[] row : rows) {
            for (int i = 0; i < N; i++) {
                row[i] = (float) random.nextDouble(-1, 1);
            }
        }
        return rows;
    }

    private static double dot(float[][] a, float[][] b, int i) {
        double sum = 0;
        for (int k = 0; k < a.length; k++) {
            sum += (double) a[k][i] * b[k][i];
        }
        return sum;
    }
}
