package dev.edl.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.engine.ports.FailureKind;
import dev.edl.runtime.engine.ports.TryAgainException;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.ps.ShardTimeoutException;
import dev.edl.runtime.ps.group.TestShards;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailureKindTest {
    @Test
    void what_cannot_be_read_or_computed_counts_against_the_records() {
        IOException unreadable = new IOException("data/part-3: offset 20: expected checksum 1, found 2");

        assertThat(List.of(unreadable, new UncheckedIOException(unreadable)))
                .extracting(FailureKind::of)
                .containsOnly(FailureKind.UNREADABLE);
        assertThat(FailureKind.of(new IllegalStateException("no luck"))).isEqualTo(FailureKind.DATA);
    }

    @Test
    void a_server_that_is_away_counts_against_nothing() {
        assertThat(List.of(new ShardTimeoutException("ps-1 is away"), new TryAgainException("the master is away")))
                .extracting(FailureKind::of)
                .containsOnly(FailureKind.ENVIRONMENT);
    }

    @Test
    void the_end_of_a_run_counts_against_nothing() {
        TestShards shards =
                TestShards.create(2, 1, Optimizer.sgd(0.1f), Consistency.asynchronous(), 4, Duration.ofSeconds(1));
        shards.detach(0);
        shards.close();

        assertThatThrownBy(shards::flush)
                .hasMessage("the parameter shards are closed")
                .isInstanceOfSatisfying(
                        IllegalStateException.class,
                        closed -> assertThat(FailureKind.of(closed)).isEqualTo(FailureKind.ENVIRONMENT));
    }
}
