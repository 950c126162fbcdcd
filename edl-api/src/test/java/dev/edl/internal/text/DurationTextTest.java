package dev.edl.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DurationTextTest {
    @Test
    void a_duration_is_written_by_its_units() {
        assertThat(DurationText.of(Duration.ofMinutes(10))).isEqualTo("10m");
        assertThat(DurationText.of(Duration.ofMinutes(90))).isEqualTo("1h30m");
        assertThat(DurationText.of(Duration.ofHours(49).plusMillis(250))).isEqualTo("2d1h250ms");
        assertThat(DurationText.of(Duration.ZERO)).isEqualTo("0s");
    }
}
