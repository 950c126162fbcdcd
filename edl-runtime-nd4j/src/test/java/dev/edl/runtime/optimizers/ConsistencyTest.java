package dev.edl.runtime.optimizers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ConsistencyTest {
    @Test
    void one_number_says_it() {
        assertThat(Consistency.parse("0"))
                .isEqualTo(Consistency.synchronous())
                .hasToString("staleness 0, grads_to_wait all");
        assertThat(Consistency.parse("3"))
                .isEqualTo(Consistency.staleness(3))
                .hasToString("staleness 3, grads_to_wait 1");
        assertThat(Consistency.parse("unbounded"))
                .isEqualTo(Consistency.asynchronous())
                .hasToString("staleness unbounded, grads_to_wait 1");
    }

    @Test
    void anything_else_is_refused() {
        assertThatThrownBy(() -> Consistency.parse("two"))
                .hasMessage("staleness \"two\" must be 0 (synchronous), a whole number such as 3 (stale-synchronous)"
                        + " or unbounded (asynchronous)");
        assertThatThrownBy(() -> Consistency.parse("-1"))
                .hasMessage("staleness must be at least 0, was -1; 0 is synchronous, unbounded is asynchronous");
    }

    @Test
    void asynchronous_training_waits_for_no_second_gradient() {
        assertThatThrownBy(() -> Consistency.asynchronous().withGradsToWait(2))
                .hasMessage("grads_to_wait must be 1 when the staleness is unbounded, was 2;"
                        + " give a staleness bound, for example 3");
        assertThatThrownBy(() -> Consistency.synchronous().withGradsToWait(0))
                .hasMessage("grads_to_wait must be at least 1, was 0");
    }
}
