package dev.edl.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ConnectionSettingsTest {
    @Test
    void builder_changes_the_bounds_that_it_names() {
        ConnectionSettings slow =
                ConnectionSettings.builder().silence(Duration.ofMinutes(2)).build();

        assertThat(slow.silence()).isEqualTo(Duration.ofMinutes(2));
        assertThat(slow.keepAlive()).isEqualTo(ConnectionSettings.defaults().keepAlive());
        assertThat(slow).isNotEqualTo(ConnectionSettings.defaults());
    }

    @Test
    void wrong_bound_is_named_with_its_value_and_an_example() {
        assertThatThrownBy(() ->
                        ConnectionSettings.builder().silence(Duration.ZERO).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("connections.silence must be positive and at most 365 days,"
                        + " for example Duration.ofSeconds(30); was PT0S");
        assertThatThrownBy(() -> ConnectionSettings.builder()
                        .keepAlive(Duration.ofDays(366))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("connections.keepAlive must be positive and at most 365 days");
        assertThatThrownBy(() -> ConnectionSettings.builder()
                        .firstPause(Duration.ofSeconds(3))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("connections.firstPause must be at most longestPause, for example"
                        + " Duration.ofMillis(50); was PT3S and PT2S");
        assertThatThrownBy(() -> ConnectionSettings.builder().strangers(0).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("connections.strangers must be at least 1, for example 64; was 0");
        assertThatThrownBy(() -> ConnectionSettings.builder().stagingBytes(-1).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("connections.stagingBytes must be at least 0, for example 67108864; was -1");
    }
}
