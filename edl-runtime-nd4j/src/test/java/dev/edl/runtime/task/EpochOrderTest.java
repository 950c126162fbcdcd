package dev.edl.runtime.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EpochOrderTest {
    /** From a Python script that implements java.util.Random and SplitMix64 from their descriptions. */
    @Test
    void is_the_same_on_every_machine() {
        assertThat(EpochOrder.shuffled(10, 42, 0)).containsExactly(0, 4, 1, 2, 7, 8, 9, 5, 3, 6);
        assertThat(EpochOrder.shuffled(10, 42, 1)).containsExactly(2, 8, 1, 3, 5, 9, 0, 4, 7, 6);
        assertThat(EpochOrder.shuffled(10, -1, 3)).containsExactly(5, 6, 0, 4, 1, 2, 7, 3, 8, 9);
    }

    @Test
    void holds_each_range_once() {
        assertThat(EpochOrder.shuffled(1000, 7, 0)).containsExactlyInAnyOrder(EpochOrder.dataset(1000));
    }
}
