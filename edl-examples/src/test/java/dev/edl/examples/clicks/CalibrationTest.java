package dev.edl.examples.clicks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class CalibrationTest {
    @Test
    void a_point_is_the_means_of_records_of_similar_predictions() {
        // 40 records are 20 groups of two: predictions 0.025 and 0 in the first, 0.975 and 0.95 in the last.
        float[] labels = new float[40];
        float[] probabilities = new float[40];
        for (int i = 0; i < 40; i++) {
            probabilities[i] = (39 - i) / 40f;
            labels[i] = i < 3 ? 1 : 0;
        }
        Calibration calibration = new Calibration(labels, probabilities);
        assertThat(calibration.predicted()).hasSize(20);
        assertThat(calibration.predicted()[0]).isCloseTo(0.0125, within(1e-6));
        assertThat(calibration.predicted()[19]).isCloseTo(0.9625, within(1e-6));
        assertThat(calibration.observed()).startsWith(0, 0).endsWith(0, 0.5, 1);
    }

    @Test
    void fewer_records_than_groups_are_a_group_each() {
        Calibration calibration = new Calibration(new float[] {1, 0}, new float[] {0.75f, 0.25f});
        assertThat(calibration.predicted()).containsExactly(0.25, 0.75);
        assertThat(calibration.observed()).containsExactly(0, 1);
    }
}
