package dev.edl.runtime.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.data.DataShard;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LedgerSpecTest {
    @Test
    void all_mistakes_come_in_one_message() {
        assertThatThrownBy(() -> LedgerSpec.builder()
                        .training(List.of(new DataShard("a", 0), new DataShard("a", 0)))
                        .minibatchSize(0)
                        .minibatchesPerTask(-1)
                        .epochs(0)
                        .leaseTimeout(Duration.ZERO)
                        .maxTaskFailures(0)
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("""
                        the ledger's spec has 7 mistakes:
                          minibatchSize must be at least 1, was 0
                          minibatchesPerTask must be at least 1, was -1
                          epochs must be at least 1, was 0
                          maxTaskFailures must be at least 1, was 0
                          leaseTimeout must be positive and at most 365 days, for example Duration.ofMinutes(5), was PT0S
                          trainingShards must have unique names, was "a" twice
                          trainingShards must hold at least 1 record, was [DataShard[name=a, records=0], DataShard[name=a, records=0]]""");
    }

    @Test
    void one_mistake_is_one() {
        assertThatThrownBy(() -> spec().epochs(-3).build())
                .hasMessage("the ledger's spec has a mistake:\n  epochs must be at least 1, was -3");
    }

    @Test
    void minibatches_that_cannot_be_numbered_are_refused() {
        assertThatThrownBy(() -> LedgerSpec.builder()
                        .training(List.of(new DataShard("a", 1L << 31), new DataShard("b", Long.MAX_VALUE)))
                        .minibatchSize(1)
                        .build())
                .hasMessage(
                        "the ledger's spec has a mistake:\n  trainingShards must make at most 2147483647 minibatches;"
                                + " a larger minibatchSize makes fewer, was 1");
    }

    @Test
    void records_that_cannot_be_counted_are_refused() {
        assertThatThrownBy(() -> LedgerSpec.builder()
                        .training(List.of(new DataShard("a", 1L << 61)))
                        .minibatchSize(Integer.MAX_VALUE)
                        .epochs(5)
                        .build())
                .hasMessage("the ledger's spec has a mistake:\n  epochs times training records must be at most"
                        + " 9223372036854775807, was 5 times 2305843009213693952");
    }

    @Test
    void defaults_are_those_of_the_documentation() {
        assertThat(spec().build())
                .isEqualTo(new LedgerSpec(
                        List.of(new DataShard("a", 10)),
                        List.of(),
                        64,
                        8,
                        1,
                        0,
                        true,
                        Duration.ofMinutes(5),
                        4,
                        0,
                        false));
    }

    @Test
    void push_ids_count_the_minibatches_of_all_shards() {
        // ceil(10/4) + ceil(0/4) + ceil(8/4) = 3 + 0 + 2.
        LedgerSpec spec = LedgerSpec.builder()
                .training(List.of(new DataShard("a", 10), new DataShard("b", 0), new DataShard("c", 8)))
                .minibatchSize(4)
                .build();

        assertThat(spec.pushIds()).isEqualTo(new PushIds(5));
        assertThat(spec.trainingRecords()).isEqualTo(18);
    }

    private static LedgerSpec.Builder spec() {
        return LedgerSpec.builder().training(List.of(new DataShard("a", 10)));
    }
}
