package dev.edl.runtime.optimizers;

import static dev.edl.runtime.ps.PushResult.Outcome.ACCUMULATED;
import static dev.edl.runtime.ps.PushResult.Outcome.APPLIED;
import static dev.edl.runtime.ps.PushResult.Outcome.DUPLICATE;
import static dev.edl.runtime.ps.PushResult.Outcome.STALE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.ps.ShardTimeoutException;
import dev.edl.runtime.ps.group.TestShards;
import dev.edl.runtime.ps.group.Workers;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A worker that hung until it was removed from the rounds, and pushes afterwards. */
class LateWorkerTest {
    private static final float[] ONES = {1, 1, 1, 1};
    private static final float[] THREES = {3, 3, 3, 3};

    private final long[] versions = new long[2];
    private TestShards group;

    @BeforeEach
    void one_has_pushed_and_one_hangs() throws InterruptedException {
        group = TestShards.create(4, 2, Optimizer.sgd(1f), Consistency.synchronous(), 8, Duration.ofMillis(1));
        group.initialize(new float[4]);
        group.join("good");
        group.join("hung");
        assertThat(Workers.of(group).push("good", 0, versions, ONES).outcome()).isEqualTo(ACCUMULATED);
    }

    @Test
    void each_wait_has_its_own_limit_and_names_the_worker() {
        assertThatThrownBy(() -> Workers.of(group).awaitRound("good", 0, Duration.ZERO))
                .isInstanceOf(ShardTimeoutException.class)
                .hasMessage("parameter shard ps-0: the round after version 0 did not end within 0s;"
                        + " it holds 1 of 2 gradients and waits for hung");
    }

    @Test
    void a_leaving_worker_ends_the_round_at_once() throws InterruptedException {
        group.leave("hung");

        assertThat(Workers.of(group).awaitRound("good", 0, Duration.ZERO)).isTrue();
        assertThat(group.cut().weights()).containsExactly(-1, -1, -1, -1);
    }

    @Test
    void what_it_computed_from_old_weights_is_stale() throws InterruptedException {
        group.leave("hung");

        assertThat(Workers.of(group).push("hung", 1, versions, THREES).outcome())
                .isEqualTo(STALE);
        assertThat(group.cut().weights()).containsExactly(-1, -1, -1, -1);
        Workers.of(group).pull(new float[4], versions);
        assertThat(Workers.of(group).push("good", 2, versions, ONES).outcome()).isEqualTo(APPLIED);
    }

    @Test
    void a_push_redone_by_another_worker_is_a_duplicate() throws InterruptedException {
        group.leave("hung");
        Workers.of(group).pull(new float[4], versions);
        Workers.of(group).push("good", 1, versions, ONES);
        Workers.of(group).pull(new float[4], versions);

        assertThat(Workers.of(group).push("hung", 1, versions, THREES).outcome())
                .isEqualTo(DUPLICATE);
        assertThat(group.cut().weights()).containsExactly(-2, -2, -2, -2);
        assertThat(group.cut().version()).isEqualTo(2);
    }

    @Test
    void an_early_push_counts_once_and_no_round_waits() throws InterruptedException {
        group.leave("hung");
        group.join("new");
        Workers.of(group).pull(new float[4], versions);

        assertThat(Workers.of(group).push("hung", 1, versions, THREES).outcome())
                .isEqualTo(ACCUMULATED);
        assertThat(Workers.of(group).push("new", 1, versions, THREES).outcome()).isEqualTo(DUPLICATE);
        assertThat(Workers.of(group).push("new", 2, versions, ONES).outcome()).isEqualTo(ACCUMULATED);
        assertThat(Workers.of(group)
                        .push("good", 3, versions, new float[] {5, 5, 5, 5})
                        .outcome())
                .isEqualTo(APPLIED);
        // -1 - (3 + 1 + 5) / 3.
        assertThat(group.cut().weights()).containsExactly(-4, -4, -4, -4);
        assertThat(Workers.of(group).awaitRound("hung", 1, Duration.ZERO)).isTrue();

        Workers.of(group).pull(new float[4], versions);
        Workers.of(group).push("good", 4, versions, ONES);
        assertThat(Workers.of(group).push("new", 5, versions, ONES).outcome()).isEqualTo(APPLIED);
        assertThat(group.leave("hung")).isFalse();
    }
}
