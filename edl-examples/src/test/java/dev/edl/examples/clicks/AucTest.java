package dev.edl.examples.clicks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class AucTest {
    @Test
    void it_is_the_share_of_pairs_in_the_right_order() {
        // Of the four pairs of a click and another, only 0.7 against 0.8 is in the wrong order.
        Auc auc = new Auc(new float[] {1, 0, 1, 0}, new float[] {0.9f, 0.8f, 0.7f, 0.1f});
        assertThat(auc.area()).isEqualTo(0.75);
    }

    @Test
    void a_score_that_is_nan_has_no_rank() {
        assertThatThrownBy(() -> new Auc(new float[] {1, 0}, new float[] {0.9f, Float.NaN}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the score of record 1 must be a number, was NaN");
        assertThatThrownBy(() -> new Calibration(new float[] {1, 0}, new float[] {Float.NaN, 0.1f}))
                .hasMessage("the probability of record 0 must be a number, was NaN");
    }

    @Test
    void equal_scores_count_half() {
        // 1 for the click at 0.9, two halves for the one at 0.5: 2 + 2 * 0.5 of 4.
        Auc auc = new Auc(new float[] {1, 0, 1, 0}, new float[] {0.9f, 0.5f, 0.5f, 0.5f});
        assertThat(auc.area()).isEqualTo(0.75);
    }

    @Test
    void the_curve_runs_from_0_to_1_and_has_the_same_area() {
        int n = 4_000;
        float[] labels = new float[n];
        float[] scores = new float[n];
        for (int i = 0; i < n; i++) {
            scores[i] = (i * 7919 % n) / (float) n;
            labels[i] = (i * 104_729 % n) / (float) n < scores[i] ? 1 : 0;
        }
        Auc auc = new Auc(labels, scores);
        double[] x = auc.falsePositives();
        double[] y = auc.truePositives();
        double area = 0;
        for (int i = 1; i < x.length; i++) {
            assertThat(x[i]).isGreaterThanOrEqualTo(x[i - 1]);
            area += (x[i] - x[i - 1]) * (y[i] + y[i - 1]) / 2;
        }
        assertThat(x).hasSize(201).startsWith(0).endsWith(1);
        assertThat(y).hasSize(201).startsWith(0).endsWith(1);
        assertThat(area).isCloseTo(auc.area(), within(0.002));
    }
}
