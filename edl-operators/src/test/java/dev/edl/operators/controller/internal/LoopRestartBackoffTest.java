package dev.edl.operators.controller.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoopRestartBackoffTest {
    private static final long START = Long.MAX_VALUE - 1_000_000_000L;

    private long now = START;
    private final LoopRestartBackoff retry = new LoopRestartBackoff(START);

    /** Returns the pause after a loop that failed this long after it could start. */
    private Duration breaks(Duration after) {
        now += retry.left(now).orElse(Duration.ZERO).plus(after).toNanos();
        return retry.recordFailure(now);
    }

    @Test
    void the_first_loop_begins_at_once() {
        assertThat(retry.left(START)).isEmpty();
    }

    @Test
    void the_pause_of_failing_loops_doubles_up_to_half_a_minute() {
        List<Long> millis = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            millis.add(breaks(Duration.ofSeconds(5)).toMillis());
        }

        assertThat(millis).containsExactly(200L, 400L, 800L, 1600L, 3200L, 6400L, 12800L, 25600L, 30000L, 30000L);
    }

    @Test
    void a_job_is_left_alone_until_its_pause_is_over() {
        breaks(Duration.ZERO);
        breaks(Duration.ZERO);

        assertThat(retry.left(now + Duration.ofMillis(150).toNanos())).contains(Duration.ofMillis(250));
        assertThat(retry.left(now + Duration.ofMillis(400).toNanos())).isEmpty();
    }

    @Test
    void a_loop_of_half_a_minute_resets_the_pause() {
        breaks(Duration.ZERO);
        breaks(Duration.ZERO);
        breaks(Duration.ZERO);

        assertThat(breaks(Duration.ofSeconds(31))).isEqualTo(Duration.ofMillis(200));
    }
}
