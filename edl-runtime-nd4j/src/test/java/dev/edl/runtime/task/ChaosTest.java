package dev.edl.runtime.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChaosTest {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void each_record_is_applied_exactly_once_after_any_faults(boolean keepsJournal) {
        for (long seed = 0; seed < 1000; seed++) {
            try {
                Chaos chaos = new Chaos(seed, false, keepsJournal);
                chaos.run(20 + (int) (seed % 300));
                chaos.settle();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    @Test
    void every_prefix_of_a_history_replays_to_the_state_of_that_moment() {
        for (long seed = 0; seed < 60; seed++) {
            Chaos chaos = new Chaos(seed, true);
            chaos.run(80);
            assertThat(chaos.journal).as("seed %d", seed).isNotEmpty();
            for (int length = 0; length < chaos.journal.size(); length++) {
                TaskLedger replayed = Ledgers.replay(chaos.spec, chaos.journal.subList(0, length), event -> {});
                assertThat(StateImage.of(replayed))
                        .as("seed %d, the first %d events", seed, length)
                        .isEqualTo(chaos.images.get(length));
            }
        }
    }
}
