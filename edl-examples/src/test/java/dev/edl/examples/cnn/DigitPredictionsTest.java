package dev.edl.examples.cnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DigitPredictionsTest {
    private final DigitPredictions answers = new DigitPredictions(new float[] {0, 1, 2, 2, 1}, new float[] {
        0.9f, 0.1f, 0.0f,
        0.2f, 0.6f, 0.2f,
        0.7f, 0.1f, 0.2f,
        0.8f, 0.1f, 0.1f,
        0.3f, 0.3f, 0.4f,
    });

    @Test
    void mistakes_come_first_and_the_surest_of_them_before_the_others() {
        assertThat(answers.worstFirst().stream().map(DigitPredictions.Answer::record))
                .containsExactly(3, 2, 4, 1, 0);
        assertThat(answers.worstFirst().get(0)).isEqualTo(new DigitPredictions.Answer(3, 2, 0, 0.8f));
    }

    @Test
    void the_most_frequent_mistakes_are_named() {
        assertThat(answers).hasToString("3 mistakes in 5 images: 2 taken for 0 (2), 1 for 2");
    }

    @Test
    void a_probability_that_is_nan_is_no_answer() {
        assertThatThrownBy(() -> new DigitPredictions(new float[] {1, 0}, new float[] {0, 1, 1, Float.NaN}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("output 1 of image 1 is NaN, so no digit can be picked");
    }

    @Test
    void the_absence_of_mistakes_is_printed() {
        assertThat(new DigitPredictions(new float[] {1}, new float[] {0, 1})).hasToString("0 mistakes in 1 images");
    }
}
