package dev.edl.runtime.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DurationFormatTest {
    @Test
    void a_duration_is_written_by_its_units() {
        assertThat(DurationFormat.of(Duration.ofMinutes(10))).isEqualTo("10m");
        assertThat(DurationFormat.of(Duration.ofMinutes(90))).isEqualTo("1h30m");
        assertThat(DurationFormat.of(Duration.ofHours(49).plusMillis(250))).isEqualTo("2d1h250ms");
        assertThat(DurationFormat.of(Duration.ZERO)).isEqualTo("0s");
    }
}
