package dev.edl.runtime.engine.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class StragglerDetectorTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final StragglerDetector watch = new StragglerDetector(Duration.ofSeconds(10));

    /** Runs a minibatch of some seconds that ends at a given time. */
    private void computes(String worker, long seconds, long end) {
        watch.begins(worker, (end - seconds) * SECOND);
        watch.computed(worker, end * SECOND);
    }

    @Test
    void a_silent_worker_is_late_after_the_bound() {
        computes("worker-0", 1, 100);
        computes("worker-1", 1, 105);

        assertThat(watch.late(110 * SECOND)).isEmpty();
        assertThat(watch.late(110 * SECOND + 1)).containsExactly("worker-0");
    }

    @Test
    void a_minibatch_may_take_three_times_the_last_ones_duration() {
        computes("worker-0", 12, 100);
        watch.begins("worker-0", 101 * SECOND);

        assertThat(watch.late(137 * SECOND)).isEmpty();
        assertThat(watch.late(137 * SECOND + 1)).containsExactly("worker-0");
    }

    @Test
    void a_first_minibatch_is_measured_by_those_of_the_others() {
        watch.begins("worker-0", 0);
        assertThat(watch.late(1000 * SECOND)).isEmpty();
        computes("worker-1", 5, 1000);

        assertThat(watch.late(1000 * SECOND)).containsExactly("worker-0");
        computes("worker-2", 400, 1000);
        assertThat(watch.late(1000 * SECOND)).isEmpty();
    }

    @Test
    void a_worker_that_waits_for_a_round_is_not_late() {
        computes("worker-0", 1, 100);
        watch.waits("worker-0");
        assertThat(watch.late(1000 * SECOND)).isEmpty();
        watch.goesOn("worker-0", 1000 * SECOND);

        assertThat(watch.late(1011 * SECOND)).containsExactly("worker-0");
    }

    @Test
    void a_worker_that_was_taken_out_joins_again_with_its_next_minibatch() {
        computes("worker-0", 1, 100);
        watch.takenOut("worker-0");
        assertThat(watch.late(200 * SECOND)).isEmpty();

        assertThat(watch.begins("worker-0", 200 * SECOND)).isTrue();
        assertThat(watch.begins("worker-0", 200 * SECOND)).isFalse();
    }

    @Test
    void a_worker_that_has_left_is_not_late() {
        computes("worker-0", 1, 100);
        watch.left("worker-0");
        watch.takenOut("worker-0");

        assertThat(watch.late(200 * SECOND)).isEmpty();
    }

    @Test
    void a_worker_joins_with_its_first_minibatch_and_rejoins_after_leaving() {
        assertThat(watch.begins("worker-0", 0)).isTrue();
        assertThat(watch.begins("worker-0", SECOND)).isFalse();
        watch.left("worker-0");
        assertThat(watch.begins("worker-0", 2 * SECOND)).isTrue();
    }
}
