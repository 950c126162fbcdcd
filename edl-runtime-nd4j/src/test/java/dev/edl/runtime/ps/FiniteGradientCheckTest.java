package dev.edl.runtime.ps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class FiniteGradientCheckTest {
    @Test
    void names_the_first_nonfinite_value_at_any_index() {
        for (int index : new int[] {0, 1, 1023, 1024, 2047, 2048, 2500, 2999}) {
            for (float value : new float[] {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY}) {
                float[] gradient = new float[3000];
                gradient[index] = value;
                gradient[2999] = value;

                NonFiniteGradientException e = catchThrowableOfType(
                        NonFiniteGradientException.class, () -> FiniteGradientCheck.requireFinite(gradient, 0, 3000));

                assertThat(e).hasMessage("the gradient must be finite, was " + value + " at index " + index);
                assertThat(e.flatIndex()).isEqualTo(index);
            }
        }
    }

    @Test
    void looks_at_its_own_range_only() {
        float[] gradient = new float[3000];
        gradient[99] = Float.NaN;
        gradient[2900] = Float.NaN;

        FiniteGradientCheck.requireFinite(gradient, 100, 2900);
    }

    @Test
    void accepts_the_largest_and_smallest_finite_values() {
        float[] gradient = new float[3000];
        Arrays.fill(gradient, Float.MAX_VALUE);
        gradient[7] = -Float.MAX_VALUE;
        gradient[8] = Float.MIN_VALUE;

        FiniteGradientCheck.requireFinite(gradient, 0, 3000);
    }
}
