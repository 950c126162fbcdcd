package dev.edl.runtime.zoo.internal.layers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.edl.runtime.zoo.Backend;
import dev.edl.runtime.zoo.RandomData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Both ways to multiply, against three loops in double precision. */
class MatrixProductTest {
    private static final int COUNT = 3;

    @Test
    void the_test_class_path_has_the_blas() {
        Backend.require();
        assertThat(CblasProduct.AVAILABLE).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "4, 3, 5, false, false, false",
        "4, 3, 5, true, false, false",
        "4, 3, 5, false, true, false",
        "4, 3, 5, true, true, true",
        "1, 1, 1, false, false, true",
        "36, 32, 64, false, false, true",
        "36, 32, 64, true, false, true",
        "36, 32, 64, false, true, true",
    })
    void both_ways_agree_with_three_loops(
            int rows, int inner, int columns, boolean transposeA, boolean transposeB, boolean add) {
        Backend.oneThreadPerWorker();
        int size = COUNT * Math.max(rows * inner, Math.max(inner * columns, rows * columns));
        float[] a = RandomData.parameters(1, size);
        float[] b = RandomData.parameters(2, size);
        float[] before = RandomData.parameters(3, size);
        try (NativeFloats left = new NativeFloats(size);
                NativeFloats right = new NativeFloats(size);
                NativeFloats result = new NativeFloats(size)) {
            left.put(a, 0, size);
            right.put(b, 0, size);
            // The second and third of three matrices each.
            MatrixStack x = (transposeA ? left.matrices(2, inner, rows) : left.matrices(2, rows, inner)).after(1);
            MatrixStack y =
                    (transposeB ? right.matrices(2, columns, inner) : right.matrices(2, inner, columns)).after(1);
            MatrixStack z = result.matrices(2, rows, columns).after(1);
            double[] expected = new double[size];
            for (int i = 0; i < size; i++) {
                expected[i] = before[i];
            }
            for (int p = 1; p < COUNT; p++) {
                for (int r = 0; r < rows; r++) {
                    for (int c = 0; c < columns; c++) {
                        int at = (p * rows + r) * columns + c;
                        double sum = add ? before[at] : 0;
                        for (int i = 0; i < inner; i++) {
                            double l = a[p * rows * inner + (transposeA ? i * rows + r : r * inner + i)];
                            double m = b[p * inner * columns + (transposeB ? c * inner + i : i * columns + c)];
                            sum += l * m;
                        }
                        expected[at] = sum;
                    }
                }
            }
            try (MatrixProduct cblas = new CblasProduct(x, transposeA, y, transposeB, z, add);
                    MatrixProduct nd4j = new Nd4jProduct(x, transposeA, y, transposeB, z, add)) {
                agree(cblas, result, before, expected);
                agree(nd4j, result, before, expected);
            }
        }
    }

    private static void agree(MatrixProduct product, NativeFloats result, float[] before, double[] expected) {
        result.put(before, 0, before.length);
        product.run();
        float[] actual = new float[before.length];
        result.get(actual, 0, actual.length);
        for (int i = 0; i < actual.length; i++) {
            assertThat((double) actual[i])
                    .as("%s, element %d", product.getClass().getSimpleName(), i)
                    .isCloseTo(expected[i], within(1e-5));
        }
    }

    @Test
    void cleared_memory_is_zero() {
        Backend.require();
        try (NativeFloats floats = new NativeFloats(7)) {
            floats.put(RandomData.parameters(1, 7), 0, 7);
            floats.clear();
            float[] actual = RandomData.parameters(2, 7);
            floats.get(actual, 0, 7);
            assertThat(actual).containsOnly(0f);
        }
    }
}
