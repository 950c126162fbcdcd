package dev.edl.runtime.wire.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One timer bounds all transfers of a connection, each exactly. */
class TransferBoundTest {
    private static final TimeBound FRAME = new TimeBound(Duration.ofSeconds(30), "connections.silence");

    private final ManualTimers timers = new ManualTimers();
    private final List<String> expired = new ArrayList<>();
    private final TransferBound bound = new TransferBound(timers, "sent", expired::add);

    @Test
    void a_thousand_transfers_set_one_timer() {
        for (int i = 0; i < 1000; i++) {
            bound.begin(FRAME);
            bound.end();
        }

        assertThat(timers.pending()).hasSize(1);
        timers.pass(Duration.ofMinutes(1));
        assertThat(timers.pending()).isEmpty();
        assertThat(expired).isEmpty();
    }

    @Test
    void a_later_transfer_has_its_whole_bound() {
        bound.begin(FRAME);
        timers.pass(Duration.ofSeconds(20));
        bound.end();
        bound.begin(FRAME);

        timers.pass(Duration.ofSeconds(30).minusNanos(1));
        assertThat(expired).isEmpty();
        timers.pass(Duration.ofNanos(1));
        assertThat(expired).containsExactly("has sent nothing within 30s, the bound connections.silence");
    }

    @Test
    void a_shorter_bound_expires_before_the_pending_timer() {
        bound.begin(FRAME);
        bound.end();
        bound.begin(new TimeBound(Duration.ofSeconds(2), "connections.greeting"));

        timers.pass(Duration.ofSeconds(2));
        assertThat(expired).containsExactly("has sent nothing within 2s, the bound connections.greeting");
    }

    @Test
    void bytes_that_arrived_during_a_pause_of_the_process_are_still_read() {
        bound.begin(FRAME);
        bound.end();
        timers.pass(Duration.ofSeconds(1));
        bound.begin(FRAME);
        // The clock advances at once, and the pending timer of the first transfer is late.
        timers.turn(Duration.ofMinutes(5));

        timers.pass(Duration.ZERO);
        assertThat(expired).isEmpty();
        timers.pass(Duration.ofMillis(999));
        assertThat(expired).isEmpty();
        bound.moved(12);
        bound.end();
        timers.pass(Duration.ofMinutes(1));
        assertThat(expired).isEmpty();
    }

    @Test
    void a_closed_bound_has_no_timer() {
        bound.begin(FRAME);
        bound.close();
        bound.begin(FRAME);

        assertThat(timers.pending()).isEmpty();
    }
}
