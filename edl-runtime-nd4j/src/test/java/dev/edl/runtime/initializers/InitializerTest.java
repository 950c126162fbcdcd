package dev.edl.runtime.initializers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InitializerTest {
    private static final long SEED = 11;
    private static final int DIMENSION = 16;
    private static final int ROWS = 20_000;

    private static float[] row(Initializer initializer, long id) {
        float[] row = new float[DIMENSION];
        initializer.fill(row, 0, DIMENSION, SEED, id);
        return row;
    }

    /**
     * Moments of 320,000 values. By hand: even values of width w have the standard deviation w / sqrt(12); of a normal
     * variable cut at a = 2, with p the density at a and q the probability within, the variance is v = 1 - 2 a p / q =
     * 0.7737413 and the kurtosis (3 v - 2 a^3 p / q) / v^2 = 2.3656. Variance scaling of a row of 16: variance 1 / 16 or
     * 2 / 16, limits sqrt(3 / 16) and sqrt(6 / 16), cuts at 2 / sqrt(v) standard deviations.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "uniform | 0 | 0.0288675 | 1.8 | 0.05",
                "uniform:minval=1.0,maxval=3.0 | 2 | 0.5773503 | 1.8 | 1",
                "normal | 0 | 0.05 | 3 | 0.3",
                "normal:mean=2.0,stddev=0.5 | 2 | 0.5 | 3 | 3",
                "truncated_normal | 0 | 0.04398128 | 2.36556 | 0.1",
                "truncated_normal:mean=-1.0,stddev=2.0 | -1 | 1.75925132 | 2.36556 | 4",
                "glorot_uniform | 0 | 0.25 | 1.8 | 0.4330127",
                "glorot_normal | 0 | 0.25 | 2.36556 | 0.5684236",
                "he_uniform | 0 | 0.3535534 | 1.8 | 0.6123724",
                "he_normal | 0 | 0.3535534 | 2.36556 | 0.8038723",
                "lecun_uniform | 0 | 0.25 | 1.8 | 0.4330127",
                "lecun_normal | 0 | 0.25 | 2.36556 | 0.5684236",
                "variance_scaling:scale=4.0,mode=fan_out,distribution=untruncated_normal | 0 | 0.5 | 3 | 3",
                "variance_scaling:scale=4.0,mode=fan_avg,distribution=uniform | 0 | 0.5 | 1.8 | 0.8660254"
            })
    void values_have_the_moments_of_their_distribution(
            String text, double mean, double stddev, double kurtosis, double bound) {
        Initializer initializer = Initializer.parse(text);
        double sum = 0;
        double squares = 0;
        double fourth = 0;
        double furthest = 0;
        for (int id = 0; id < ROWS; id++) {
            for (float value : row(initializer, id)) {
                double x = value - mean;
                sum += x;
                squares += x * x;
                fourth += x * x * x * x;
                furthest = Math.max(furthest, Math.abs(x));
            }
        }
        double n = (double) ROWS * DIMENSION;
        double variance = squares / n;
        String what = text + ", seed " + SEED;
        assertThat(sum / n).as(what).isCloseTo(0, within(0.008 * stddev));
        assertThat(Math.sqrt(variance)).as(what).isCloseTo(stddev, within(0.006 * stddev));
        assertThat(fourth / n / (variance * variance)).as(what).isCloseTo(kurtosis, within(0.04));
        assertThat(furthest).as(what).isLessThanOrEqualTo(bound * 1.000001).isGreaterThan(bound * 0.4);
    }

    @Test
    void values_follow_from_seed_and_id_alone() {
        for (String text : new String[] {"uniform", "normal", "truncated_normal", "he_uniform"}) {
            Initializer initializer = Initializer.parse(text);
            float[] row = row(initializer, 5);

            assertThat(row(initializer, 5)).as(text).containsExactly(row);
            assertThat(row(initializer, 6)).as(text).isNotEqualTo(row);
            float[] other = new float[DIMENSION];
            initializer.fill(other, 0, DIMENSION, SEED + 1, 5);
            assertThat(other).as(text).isNotEqualTo(row);
            float[] inside = new float[DIMENSION + 2];
            initializer.fill(inside, 1, DIMENSION, SEED, 5);
            assertThat(inside[0]).as(text).isZero();
            assertThat(inside[1]).as(text).isEqualTo(row[0]);
            assertThat(inside[DIMENSION + 1]).as(text).isZero();
        }
    }

    @Test
    void constants_are_what_they_say() {
        assertThat(row(Initializer.zeros(), 1)).containsOnly(0);
        assertThat(row(Initializer.ones(), 1)).containsOnly(1);
        assertThat(row(Initializer.constant(0.25f), 1)).containsOnly(0.25f);
        assertThat(row(Initializer.uniform(2, 2), 1)).containsOnly(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "zeros",
                "ones",
                "constant:value=0.5",
                "uniform:minval=-0.5,maxval=0.25",
                "normal:mean=0.0,stddev=0.1",
                "truncated_normal:mean=1.0,stddev=0.1",
                "glorot_uniform",
                "glorot_normal",
                "he_uniform",
                "he_normal",
                "lecun_uniform",
                "lecun_normal",
                "variance_scaling:scale=2.0,mode=fan_avg,distribution=untruncated_normal"
            })
    void text_is_read_as_it_is_written(String text) {
        assertThat(Initializer.parse(text)).hasToString(text).isEqualTo(Initializer.parse(text));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "uniform | uniform:minval=-0.05,maxval=0.05",
                "random_uniform: maxval = 1 | uniform:minval=-0.05,maxval=1.0",
                "random_normal | normal:mean=0.0,stddev=0.05",
                "constant:value=0 | zeros",
                "constant:value=1 | ones",
                "constant | zeros",
                "variance_scaling | variance_scaling:scale=1.0,mode=fan_in,distribution=truncated_normal"
            })
    void settings_that_are_left_out_have_keras_defaults(String text, String written) {
        assertThat(Initializer.parse(text)).hasToString(written);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "unifrom | \"unifrom\" is not a known initializer; did you mean \"uniform\"?",
                "xavier | \"xavier\" is not a known initializer; known are zeros, ones, constant, uniform, normal,"
                        + " truncated_normal, variance_scaling, glorot_uniform, glorot_normal, he_uniform, he_normal,"
                        + " lecun_uniform, lecun_normal",
                "orthogonal | orthogonal needs a matrix, and a row of an embedding table is a vector; for example"
                        + " uniform",
                "identity | identity needs a matrix, and a row of an embedding table is a vector; for example"
                        + " uniform",
                "normal:stdev=1 | normal has no setting \"stdev\"; did you mean \"stddev\"?",
                "zeros:value=1 | zeros has no settings",
                "uniform:minval | each setting must be key=value, was \"minval\"; for example uniform:minval=0.5",
                "uniform:minval=1,minval=1 | minval is given twice",
                "constant:value=x | value must be a number, was \"x\"; for example value=0.5",
                "constant:value=NaN | constant: value must be finite, was NaN; for example constant:value=0.5",
                "normal:stddev=-1 | normal: mean and stddev must be finite and stddev at least 0, was 0.0 and -1.0;"
                        + " for example normal:mean=0.0,stddev=0.05",
                "uniform:minval=1 | uniform: minval and maxval must be finite and minval at most maxval, was 1.0 and 0.05;"
                        + " for example uniform:minval=-0.05,maxval=0.05",
                "variance_scaling:scale=0 | variance_scaling: scale must be a finite number above 0, was 0.0; for example"
                        + " variance_scaling:scale=2.0,mode=fan_in,distribution=truncated_normal",
                "variance_scaling:mode=fan_inn | variance_scaling: \"fan_inn\" is not a known mode; did you mean"
                        + " \"fan_in\"?"
            })
    void mistakes_are_told(String text, String message) {
        assertThatThrownBy(() -> Initializer.parse(text)).hasMessage("initializer \"" + text + "\": " + message);
    }
}
