package dev.edl.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MetricModeTest {
    @Test
    void a_name_tells_which_values_are_better() {
        assertThat(MetricMode.of("loss")).contains(MetricMode.MIN);
        assertThat(MetricMode.of("val_loss")).contains(MetricMode.MIN);
        assertThat(MetricMode.of("AUC")).contains(MetricMode.MAX);
        assertThat(MetricMode.of("accuracy")).contains(MetricMode.MAX);
        assertThat(MetricMode.of("clicks")).isEmpty();
    }

    @Test
    void better_exceeds_the_margin_and_is_never_nan() {
        assertThat(MetricMode.MIN.better(0.5, 0.6, 0)).isTrue();
        assertThat(MetricMode.MIN.better(0.5, 0.6, 0.2)).isFalse();
        assertThat(MetricMode.MIN.better(0.6, 0.6, 0)).isFalse();
        assertThat(MetricMode.MAX.better(0.7, 0.6, 0)).isTrue();
        assertThat(MetricMode.MAX.better(Double.NaN, 0.6, 0)).isFalse();
        assertThat(MetricMode.MAX.better(0.1, Double.NaN, 0)).isTrue();
        assertThat(MetricMode.MIN.better(Double.NaN, Double.NaN, 0)).isFalse();
    }
}
