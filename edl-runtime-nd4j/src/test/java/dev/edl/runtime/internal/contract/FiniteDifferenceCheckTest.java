package dev.edl.runtime.internal.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.ModelContract;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.ModelException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A linear regression by hand, right or with one of the mistakes that people make. */
class FiniteDifferenceCheckTest {
    private static final String END = " (if this is intended, set checkGradient(false))";

    /** Changes what a right gradient has come to. */
    @FunctionalInterface
    private interface Mistake {
        void in(float[] gradient, Batch batch);
    }

    /** y = w x + b; the mean of a function of the error. */
    private static class Line extends LogisticModel {
        private final Mistake mistake;
        final AtomicInteger calls = new AtomicInteger();

        Line(Mistake mistake) {
            super(2);
            this.mistake = mistake;
        }

        float loss(float error) {
            return error * error;
        }

        float slope(float error) {
            return 2 * error;
        }

        @Override
        public float gradient(float[] parameters, Batch batch, float[] gradient) {
            calls.incrementAndGet();
            Arrays.fill(gradient, 0);
            double loss = 0;
            for (int row = 0; row < batch.size(); row++) {
                float error = parameters[2] - batch.labels()[row];
                for (int i = 0; i < 2; i++) {
                    error += parameters[i] * batch.features()[2 * row + i];
                }
                loss += loss(error) / batch.size();
                for (int i = 0; i < 2; i++) {
                    gradient[i] += slope(error) / batch.size() * batch.features()[2 * row + i];
                }
                gradient[2] += slope(error) / batch.size();
            }
            mistake.in(gradient, batch);
            return (float) loss;
        }

        @Override
        public void initialize(float[] parameters, long seed) {
            Arrays.fill(parameters, 0.25f);
        }
    }

    private static Batch batch(float scale) {
        Batch batch = new Batch(4, 2, 1).clear("train[0..4)");
        float[][] rows = {{1, 2}, {-0.5f, 3}, {2, -1}, {0.25f, 0.5f}};
        for (int row = 0; row < 4; row++) {
            batch.row();
            batch.features()[2 * row] = scale * rows[row][0];
            batch.features()[2 * row + 1] = scale * rows[row][1];
            batch.labels()[row] = scale * (row + 1);
        }
        return batch;
    }

    private static void fails(Mistake mistake, String... messages) {
        assertThatThrownBy(() -> ModelContract.check("own", new Line(mistake), batch(1)))
                .isInstanceOf(ModelException.class)
                .hasMessage("model \"own\": " + String.join(END + "\nmodel \"own\": ", messages) + END);
    }

    /** Errors by hand: 0, -1.125, -2.5, -3.5625; slope of w[0]: (0 + 0.5625 - 5 - 0.890625) / 2. */
    @Test
    void a_turned_sign_is_found_and_named() {
        fails(
                (gradient, batch) -> {
                    gradient[0] = -gradient[0];
                    gradient[1] = -gradient[1];
                },
                "gradient(...) gives 2.66406 for weight[2] at element [0], but the loss has the slope -2.66406 there, by"
                        + " central differences on train[0..4); its sign is inverted");
    }

    @Test
    void a_summed_gradient_is_found_at_each_parameter() {
        fails(
                (gradient, batch) -> {
                    for (int i = 0; i < 3; i++) {
                        gradient[i] *= batch.size();
                    }
                },
                "gradient(...) gives -10.6563 for weight[2] at element [0], but the loss has the slope -2.66406 there, by"
                        + " central differences on train[0..4); it is the sum over the records, not their mean",
                "gradient(...) gives -14.3750 for bias[1] at element [0], but the loss has the slope -3.59375 there, by"
                        + " central differences on train[0..4); it is the sum over the records, not their mean");
    }

    @Test
    void a_forgotten_factor_is_found() {
        fails(
                (gradient, batch) -> gradient[2] /= 2,
                "gradient(...) gives -1.79688 for bias[1] at element [0], but the loss has the slope -3.59375 there, by"
                        + " central differences on train[0..4)");
    }

    @ParameterizedTest
    @ValueSource(floats = {1e-3f, 1, 1e3f, 1e6f})
    void a_correct_gradient_passes_at_any_data_scale(float scale) {
        assertThatCode(() -> ModelContract.check("own", new Line((gradient, batch) -> {}), batch(scale)))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({"0.25, 0", "1, 1", "3.25, 2"})
    void a_kink_at_the_point_is_accepted_with_any_slope(float bias, float slope) {
        Line kinked = new Line((gradient, batch) -> {}) {
            @Override
            float loss(float error) {
                return Math.abs(error);
            }

            @Override
            float slope(float error) {
                return error == 0 ? slope - 1 : Math.signum(error);
            }

            @Override
            public void initialize(float[] parameters, long seed) {
                parameters[0] = 0;
                parameters[1] = 0;
                parameters[2] = bias == 0.25f ? 1 : bias == 1 ? 2 : 3;
            }
        };

        assertThatCode(() -> ModelContract.check("own", kinked, batch(1))).doesNotThrowAnyException();
    }

    @Test
    void a_loss_that_varies_between_calls_is_not_compared() {
        Line random = new Line((gradient, batch) -> gradient[0] = 77) {
            @Override
            float loss(float error) {
                return error * error + calls.get();
            }
        };

        assertThatCode(() -> ModelContract.check("own", random, batch(1))).doesNotThrowAnyException();
    }

    @Test
    void the_comparison_can_be_left_out() {
        Line clipped = new Line((gradient, batch) -> gradient[2] = -1);

        assertThatCode(() -> ModelContract.checkWithoutDifferences("own", clipped, batch(1)))
                .doesNotThrowAnyException();
    }

    @Test
    void a_correct_gradient_costs_two_steps_per_element() {
        Line all = new Line((gradient, batch) -> {});
        ModelContract.check("own", all, batch(1));
        Line none = new Line((gradient, batch) -> {});
        ModelContract.check("own", none, batch(1), () -> false);
        Line one = new Line((gradient, batch) -> {});
        List<Boolean> answers = new ArrayList<>(List.of(true, true));
        ModelContract.check("own", one, batch(1), () -> !answers.isEmpty() && answers.remove(0));

        // Two parameters: two elements of the first at most, and one of the second.
        assertThat(all.calls.get() - none.calls.get()).isBetween(2 + 2 * 2, 2 + 3 * 2);
        assertThat(one.calls.get() - none.calls.get()).isEqualTo(2 + 2);
    }
}
