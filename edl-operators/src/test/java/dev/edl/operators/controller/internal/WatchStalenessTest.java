package dev.edl.operators.controller.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class WatchStalenessTest {
    private static long seconds(long seconds) {
        return Duration.ofSeconds(seconds).toNanos();
    }

    @Test
    void the_age_counts_from_the_last_event() {
        WatchStaleness staleness = new WatchStaleness(0);
        staleness.record("7", seconds(1));
        for (int second = 2; second <= 3600; second++) {
            staleness.record("7", seconds(second));
        }

        assertThat(staleness.age(seconds(3600))).isEqualTo(Duration.ofSeconds(3599));
    }

    @Test
    void a_bookmark_is_a_sign_of_life() {
        WatchStaleness staleness = new WatchStaleness(0);
        staleness.record("7", seconds(1));
        staleness.record("8", seconds(61));

        assertThat(staleness.age(seconds(62))).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void a_watch_that_has_listed_nothing_is_as_old_as_its_term() {
        WatchStaleness staleness = new WatchStaleness(seconds(10));
        staleness.record(null, seconds(20));

        assertThat(staleness.age(seconds(40))).isEqualTo(Duration.ofSeconds(30));
    }
}
