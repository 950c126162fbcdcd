package dev.edl.runtime.optimizers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.function.DoubleBinaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OptimizerTest {
    /** Weight 1, gradients 0.5, -0.25, 1; the expected weights were computed in Python with doubles. */
    @ParameterizedTest
    @CsvSource({
        "'sgd:learning_rate=0.1', 0.95, 0.975, 0.875",
        "'sgd:learning_rate=0.1,momentum=0.9', 0.95, 0.93, 0.812",
        "'sgd:learning_rate=0.1,momentum=0.9,nesterov=true', 0.905, 0.912, 0.7058",
        "'adam:learning_rate=0.1', 0.900000632451532, 0.8733670792079218, 0.8075561008769581",
        "'adagrad:learning_rate=0.1', 0.900000019999996, 0.9447213715499932, 0.8574342230746432"
    })
    void three_updates_of_one_weight(String text, double first, double second, double third) {
        Optimizer optimizer = Optimizer.parse(text);
        float[] weights = {1};
        float[][] slots = new float[optimizer.slots().size()][1];
        float[] gradients = {0.5f, -0.25f, 1};
        double[] expected = {first, second, third};
        for (int i = 0; i < 3; i++) {
            optimizer.apply(weights, slots, optimizer.rate(optimizer.learningRate(), i + 1), gradients, i, 0, 1);
            assertThat((double) weights[0]).as("update %d", i + 1).isCloseTo(expected[i], within(2e-7));
        }
    }

    /**
     * Gradients 1, 0.1, -0.2 make v decrease, so that the largest v matters; expected values from Python, in doubles.
     */
    @ParameterizedTest
    @CsvSource({
        "true, 0.9000000141421336, 0.8355397668691582, 0.8013695518169583",
        "false, 0.9000000141421336, 0.809737618783852, 0.7468251609373296"
    })
    void amsgrad_divides_by_the_largest_v_so_far(boolean amsgrad, double first, double second, double third) {
        Optimizer optimizer =
                amsgrad ? Optimizer.amsgrad(0.1f, 0.9f, 0.5f, 1e-7f) : Optimizer.adam(0.1f, 0.9f, 0.5f, 1e-7f);
        float[] weights = {1};
        float[][] slots = new float[optimizer.slots().size()][1];
        float[] gradients = {1, 0.1f, -0.2f};
        double[] expected = {first, second, third};
        for (int i = 0; i < 3; i++) {
            optimizer.apply(weights, slots, optimizer.rate(optimizer.learningRate(), i + 1), gradients, i, 0, 1);
            assertThat((double) weights[0]).as("update %d", i + 1).isCloseTo(expected[i], within(3e-7));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sgd:learning_rate=0.05",
                "sgd:learning_rate=0.05,momentum=0.8",
                "sgd:learning_rate=0.05,momentum=0.8,nesterov=true",
                "adam:learning_rate=0.01,beta_1=0.8,beta_2=0.99,epsilon=1.0E-6",
                "adam:learning_rate=0.01,beta_1=0.8,beta_2=0.99,epsilon=1.0E-6,amsgrad=true",
                "adagrad:learning_rate=0.05,epsilon=1.0E-6"
            })
    void agrees_with_the_formulas_in_double_precision_at_any_offset(String text) {
        long seed = 42;
        Random random = new Random(seed);
        int n = 1037;
        int offset = 13;
        Optimizer optimizer = Optimizer.parse(text);
        float[] weights = new float[n];
        double[] expected = new double[n];
        for (int i = 0; i < n; i++) {
            weights[i] = random.nextFloat() - 0.5f;
            expected[i] = weights[i];
        }
        float[][] slots = new float[optimizer.slots().size()][n];
        double[] a = new double[n];
        double[] b = new double[n];
        double[] largest = new double[n];
        for (int t = 1; t <= 50; t++) {
            float[] gradient = new float[offset + n + 5];
            for (int i = 0; i < gradient.length; i++) {
                gradient[i] = (float) random.nextGaussian();
            }
            float rate = optimizer.rate(optimizer.learningRate(), t);
            optimizer.apply(weights, slots, rate, gradient, offset, 0, 500);
            optimizer.apply(weights, slots, rate, gradient, offset, 500, n);
            for (int i = 0; i < n; i++) {
                expected[i] -= reference(text, t, gradient[offset + i], i, a, b, largest);
            }
        }
        for (int i = 0; i < n; i++) {
            assertThat((double) weights[i])
                    .as("%s, seed %d, weight %d", text, seed, i)
                    .isCloseTo(expected[i], within(2e-5));
        }
    }

    /** The step of one weight, directly from the papers, with the settings of the test above. */
    private static double reference(String text, int t, double g, int i, double[] a, double[] b, double[] largest) {
        if (text.startsWith("adam")) {
            DoubleBinaryOperator correction = (beta, power) -> 1 - Math.pow(beta, power);
            a[i] = 0.8 * a[i] + 0.2 * g;
            b[i] = 0.99 * b[i] + 0.01 * g * g;
            double rate = 0.01 * Math.sqrt(correction.applyAsDouble(0.99, t)) / correction.applyAsDouble(0.8, t);
            largest[i] = Math.max(largest[i], b[i]);
            return rate * a[i] / (Math.sqrt(text.contains("amsgrad") ? largest[i] : b[i]) + 1e-6);
        }
        if (text.startsWith("adagrad")) {
            a[i] += g * g;
            return 0.05 * g / (Math.sqrt(a[i]) + 1e-6);
        }
        if (!text.contains("momentum")) {
            return 0.05 * g;
        }
        a[i] = 0.8 * a[i] + g;
        return text.contains("nesterov") ? 0.05 * (g + 0.8 * a[i]) : 0.05 * a[i];
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sgd | sgd:learning_rate=0.01",
                "adam | adam:learning_rate=0.001,beta_1=0.9,beta_2=0.999,epsilon=1.0E-7",
                "adagrad | adagrad:learning_rate=0.001,epsilon=1.0E-7",
                "adam:amsgrad=true | adam:learning_rate=0.001,beta_1=0.9,beta_2=0.999,epsilon=1.0E-7,amsgrad=true",
                "sgd: learning_rate = 0.1 , momentum=0.9,nesterov=true | sgd:learning_rate=0.1,momentum=0.9,nesterov=true"
            })
    void text_is_read_and_written(String text, String written) {
        assertThat(Optimizer.parse(text)).hasToString(written).isEqualTo(Optimizer.parse(written));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "sdg | \"sdg\" is not a known optimizer; did you mean \"sgd\"?",
                "rmsprop | \"rmsprop\" is not a known optimizer; known are sgd, adam, adagrad",
                "adam:lr=1 | adam has no setting \"lr\"; known are learning_rate, beta_1, beta_2, epsilon, amsgrad",
                "sgd:momentun=1 | sgd has no setting \"momentun\"; did you mean \"momentum\"?",
                "sgd:momentum | each setting must be key=value, was \"momentum\"; for example sgd:learning_rate=0.01",
                "sgd:momentum=0,momentum=0 | momentum is given twice",
                "sgd:learning_rate=x | learning_rate must be a number, was \"x\"; for example learning_rate=0.01",
                "sgd:nesterov=yes | nesterov must be true or false, was \"yes\"",
                "sgd:learning_rate=0 | learning_rate must be a finite number above 0, was 0.0;"
                        + " for example sgd:learning_rate=0.1",
                "sgd:momentum=1 | momentum must be at least 0 and below 1, was 1.0;"
                        + " for example sgd:learning_rate=0.1,momentum=0.9",
                "sgd:nesterov=true | nesterov=true needs a momentum above 0;"
                        + " for example sgd:learning_rate=0.1,momentum=0.9,nesterov=true",
                "adam:epsilon=0 | epsilon must be a finite number above 0, was 0.0;"
                        + " for example adam:learning_rate=0.001,epsilon=1.0E-7"
            })
    void mistakes_are_told(String text, String message) {
        assertThatThrownBy(() -> Optimizer.parse(text)).hasMessage("optimizer \"" + text + "\": " + message);
    }

    @Test
    void only_the_learning_rate_may_change_with_kept_state() {
        Optimizer optimizer = Optimizer.sgd(0.1f, 0.9f, false);

        assertThat(Optimizer.sgd(0.2f, 0.9f, false).continues(optimizer)).isTrue();
        assertThat(Optimizer.sgd(0.1f, 0.8f, false).continues(optimizer)).isFalse();
        assertThat(Optimizer.adam(0.1f).continues(optimizer)).isFalse();
    }
}
