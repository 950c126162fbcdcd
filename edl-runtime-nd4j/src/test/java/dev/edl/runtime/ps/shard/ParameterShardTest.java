package dev.edl.runtime.ps.shard;

import static dev.edl.runtime.ps.PushResult.Outcome.ACCUMULATED;
import static dev.edl.runtime.ps.PushResult.Outcome.APPLIED;
import static dev.edl.runtime.ps.PushResult.Outcome.DUPLICATE;
import static dev.edl.runtime.ps.PushResult.Outcome.STALE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.ps.NonFiniteGradientException;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.ps.ShardTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class ParameterShardTest {
    private static final ShardRange RANGE = new ShardRange(1, 1, 2);

    /** Weights 10 and 20 at indices 1 and 2 of four, learning rate 1, four minibatches an epoch. */
    private static ParameterShard shard(Consistency consistency) {
        ParameterShard shard = new ParameterShard(RANGE, Optimizer.sgd(1f), consistency, 4);
        shard.initialize(new float[] {-1, 10, 20, -1});
        return shard;
    }

    private static float[] gradient(float a, float b) {
        return new float[] {99, a, b, 99};
    }

    private static float[] weights(ParameterShard shard) {
        float[] full = new float[4];
        shard.pull(full);
        return full;
    }

    @Test
    void the_first_values_win() {
        ParameterShard shard = shard(Consistency.asynchronous());

        assertThat(shard.initialize(new float[] {0, 1, 2, 3})).isFalse();
        assertThat(weights(shard)).containsExactly(0, 10, 20, 0);
    }

    @Test
    void a_push_is_applied_to_its_range_once() {
        ParameterShard shard = shard(Consistency.asynchronous());

        assertThat(shard.push("a", 2, 0, gradient(1, 2))).isEqualTo(new PushResult(APPLIED, 1));
        assertThat(shard.push("b", 2, 0, gradient(5, 5))).hasToString("DUPLICATE at version 1");

        assertThat(weights(shard)).containsExactly(0, 9, 18, 0);
        assertThat(shard.applied(2)).isTrue();
        assertThat(shard.pushes().applied(0)).isEqualTo(BitSet.valueOf(new long[] {0b100}));
        assertThat(shard.appliedCount()).isEqualTo(1);
        assertThat(shard.duplicateCount()).isEqualTo(1);
        assertThat(shard)
                .hasToString("ps-1[1..3) at version 1, 0 members, applied 0 complete epochs, 1 of 4 in epoch 0");
    }

    @Test
    void a_push_older_than_the_bound_is_refused_without_effect() {
        ParameterShard shard = shard(Consistency.staleness(1));
        shard.push("a", 0, 0, gradient(1, 1));
        shard.push("a", 1, 1, gradient(1, 1));

        assertThat(shard.push("b", 2, 0, gradient(1, 1))).isEqualTo(new PushResult(STALE, 2));
        assertThat(shard.push("b", 2, 1, gradient(1, 1))).isEqualTo(new PushResult(APPLIED, 3));
        assertThat(shard.staleCount()).isEqualTo(1);
    }

    @Test
    void a_push_based_on_a_version_the_shard_never_had_is_stale() {
        assertThat(shard(Consistency.asynchronous())
                        .push("a", 0, 5, gradient(1, 1))
                        .outcome())
                .isEqualTo(STALE);
    }

    @Test
    void nonfinite_gradient_is_rejected_before_any_update() {
        ParameterShard shard = shard(Consistency.asynchronous());

        assertThatThrownBy(() -> shard.push("a", 0, 0, gradient(1, Float.NaN)))
                .isInstanceOf(NonFiniteGradientException.class)
                .hasMessage("the gradient must be finite, was NaN at index 2");
        assertThat(weights(shard)).containsExactly(0, 10, 20, 0);
        assertThat(shard.held(0, 1)).isZero();
    }

    @Test
    void a_synchronous_round_applies_the_mean_of_all_members() {
        ParameterShard shard = shard(Consistency.synchronous());
        shard.join("a");
        shard.join("b");

        assertThat(shard.push("a", 0, 0, gradient(2, 4))).isEqualTo(new PushResult(ACCUMULATED, 0));
        assertThat(shard.held(0, 1)).isEqualTo(1);
        assertThat(shard.applied(0)).isFalse();
        assertThat(shard.pushes().applied(0)).isEqualTo(new BitSet());
        assertThat(shard.pushes().held(0)).isEqualTo(BitSet.valueOf(new long[] {0b1}));
        assertThat(shard.push("x", 0, 0, gradient(9, 9)).outcome()).isEqualTo(DUPLICATE);
        assertThat(shard.push("b", 1, 0, gradient(4, 8))).isEqualTo(new PushResult(APPLIED, 1));

        assertThat(weights(shard)).containsExactly(0, 7, 14, 0);
    }

    @Test
    void a_round_of_fewer_gradients_than_members_ends_early() {
        ParameterShard shard = shard(Consistency.synchronous().withGradsToWait(2));
        List.of("a", "b", "c").forEach(shard::join);

        assertThat(shard.push("a", 0, 0, gradient(2, 2)).outcome()).isEqualTo(ACCUMULATED);
        assertThat(shard.push("b", 1, 0, gradient(2, 2)).outcome()).isEqualTo(APPLIED);
        assertThat(shard.push("c", 2, 0, gradient(2, 2)).outcome()).isEqualTo(STALE);
    }

    @Test
    void a_round_never_waits_for_more_gradients_than_there_are_members() {
        ParameterShard shard = shard(Consistency.staleness(3).withGradsToWait(4));
        shard.join("a");
        shard.join("b");

        assertThat(shard.push("a", 0, 0, gradient(2, 2)).outcome()).isEqualTo(ACCUMULATED);
        assertThat(shard.push("b", 1, 0, gradient(2, 2)).outcome()).isEqualTo(APPLIED);
    }

    @Test
    void second_gradient_of_a_member_counts_in_the_mean_only() {
        ParameterShard shard = shard(Consistency.synchronous());
        shard.join("a");
        shard.join("b");
        shard.push("a", 0, 0, gradient(1, 1));

        assertThat(shard.push("a", 1, 0, gradient(2, 2)).outcome()).isEqualTo(ACCUMULATED);
        assertThat(shard.push("b", 2, 0, gradient(6, 6)).outcome()).isEqualTo(APPLIED);
        assertThat(weights(shard)).containsExactly(0, 7, 17, 0);
    }

    @Test
    void a_join_enlarges_the_open_round_and_a_leave_ends_it() {
        ParameterShard shard = shard(Consistency.synchronous());
        shard.join("a");
        shard.join("b");
        shard.push("a", 0, 0, gradient(2, 2));
        shard.join("c");

        assertThat(shard.push("b", 1, 0, gradient(4, 4)).outcome()).isEqualTo(ACCUMULATED);
        assertThat(shard.leave("c")).isTrue();
        assertThat(shard.version()).isEqualTo(1);
        assertThat(weights(shard)).containsExactly(0, 7, 17, 0);
    }

    @Test
    void pushes_of_a_dead_member_stay_in_the_round() {
        ParameterShard shard = shard(Consistency.synchronous());
        List.of("a", "b", "c").forEach(shard::join);
        shard.push("a", 0, 0, gradient(3, 3));
        shard.leave("a");

        assertThat(shard.push("b", 1, 0, gradient(3, 3)).outcome()).isEqualTo(ACCUMULATED);
        assertThat(shard.push("c", 2, 0, gradient(6, 6)).outcome()).isEqualTo(APPLIED);
        assertThat(weights(shard)).containsExactly(0, 6, 16, 0);
    }

    @Test
    void when_the_last_member_leaves_what_is_accumulated_is_applied() {
        ParameterShard shard = shard(Consistency.staleness(2).withGradsToWait(3));
        shard.join("a");
        shard.join("b");
        shard.push("a", 0, 0, gradient(1, 1));
        shard.leave("b");
        assertThat(shard.version()).isEqualTo(1);
        shard.join("b");
        shard.push("a", 1, 1, gradient(1, 1));
        shard.leave("a");
        assertThat(shard.version()).isEqualTo(1);

        shard.leave("b");
        assertThat(shard.version()).isEqualTo(2);
        assertThat(shard.flush()).isFalse();
    }

    @Test
    void a_flush_applies_an_open_round() {
        ParameterShard shard = shard(Consistency.synchronous());
        shard.join("a");
        shard.join("b");
        shard.push("a", 0, 0, gradient(1, 2));

        assertThat(shard.flush()).isTrue();
        assertThat(weights(shard)).containsExactly(0, 9, 18, 0);
    }

    @Test
    void timed_out_wait_names_shard_round_and_missing_members() {
        ParameterShard shard = shard(Consistency.synchronous());
        RoundMember a = new RoundMember("a");
        shard.join(a);
        List.of("b", "c").forEach(shard::join);
        shard.push("a", 0, 0, gradient(1, 1));
        RoundWait wait = RoundWait.begin(a, 0, shard);

        assertThatThrownBy(() -> wait.sleep(0, Duration.ZERO))
                .isInstanceOf(ShardTimeoutException.class)
                .hasMessage("parameter shard ps-1: the round after version 0 did not end within 0s;"
                        + " it holds 1 of 3 gradients and waits for b, c");
    }

    @Test
    void wait_for_an_applied_or_unknown_push_is_over_at_once() {
        ParameterShard shard = shard(Consistency.synchronous());
        shard.push("a", 0, 0, gradient(1, 1));

        RoundWait applied = RoundWait.begin(new RoundMember("a"), 0, shard);
        RoundWait unknown = RoundWait.begin(new RoundMember("a"), 1, shard);

        assertThat(applied.over()).isTrue();
        assertThat(applied.applied()).isTrue();
        assertThat(unknown.over()).isTrue();
        assertThat(unknown.applied()).isFalse();
    }

    @Test
    void versions_are_pinned_and_reported_and_the_oldest_free_one_dropped() {
        ParameterShard shard = shard(Consistency.asynchronous());
        List<Long> told = new ArrayList<>();
        shard.pins().every(2, 2, told::add);
        for (int i = 0; i < 4; i++) {
            shard.push("a", i, i, gradient(1, 1));
        }
        assertThat(shard.pins().hold(2)).isTrue();
        shard.push("a", 4, 4, gradient(1, 1));
        shard.push("a", 5, 5, gradient(1, 1));

        float[] pinned = new float[4];
        assertThat(told).containsExactly(2L, 4L, 6L);
        assertThat(shard.pins().copy(4, pinned)).isEmpty();
        assertThat(shard.pins().copy(2, pinned)).isPresent();
        assertThat(pinned).containsExactly(0, 8, 18, 0);
        assertThat(shard.pins().drop(2)).isTrue();
        assertThat(shard.pins().hold(2)).isFalse();
    }

    @Test
    void version_is_neither_pinned_nor_reported_while_all_pins_are_held() {
        ParameterShard shard = shard(Consistency.asynchronous());
        List<Long> told = new ArrayList<>();
        shard.pins().every(1, 1, told::add);
        shard.push("a", 0, 0, gradient(1, 1));
        shard.pins().hold(1);
        shard.push("a", 1, 1, gradient(1, 1));

        assertThat(told).containsExactly(1L);
        assertThat(shard.pins().has(2)).isFalse();
    }

    @Test
    void a_listener_may_use_the_shard() {
        ParameterShard shard = shard(Consistency.asynchronous());
        List<Float> seen = new ArrayList<>();
        shard.pins().every(1, 1, version -> seen.add(weights(shard)[1]));

        shard.push("a", 0, 0, gradient(1, 1));
        assertThat(seen).containsExactly(9f);
    }

    @Test
    void the_learning_rate_changes_for_what_follows() {
        ParameterShard shard = shard(Consistency.asynchronous());
        shard.push("a", 0, 0, gradient(1, 1));
        shard.learningRate(0.5f);
        shard.push("a", 1, 1, gradient(1, 1));

        assertThat(weights(shard)).containsExactly(0, 8.5f, 18.5f, 0);
    }

    @Test
    void a_shard_without_values_refuses_work() {
        ParameterShard shard = new ParameterShard(RANGE, Optimizer.sgd(1f), Consistency.asynchronous(), 4);

        assertThatThrownBy(() -> shard.pull(new float[4]))
                .hasMessage("parameter shard ps-1 has no values yet; initialize or restore it first");
        assertThatThrownBy(() -> shard.push("a", 0, 0, new float[4])).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> shard.initialize(new float[2]))
                .hasMessage("a vector of 2 floats is too short for ps-1[1..3);"
                        + " pass a vector as long as the whole model's parameters");
    }

    @Test
    void a_snapshot_restores_weights_slots_and_the_open_round() {
        Optimizer optimizer = Optimizer.sgd(1f, 0.5f, false);
        ParameterShard shard = new ParameterShard(RANGE, optimizer, Consistency.synchronous(), 4);
        shard.initialize(new float[] {0, 10, 20, 0});
        shard.join("a");
        shard.push("a", 0, 0, gradient(2, 2));
        shard.join("b");
        shard.push("a", 1, 1, gradient(2, 2));
        ShardSnapshot snapshot = shard.snapshot();
        assertThat(snapshot)
                .hasToString("ps-1[1..3) at version 1, applied 0 complete epochs, 1 of 4 in epoch 0, pending [1]");

        ParameterShard other = new ParameterShard(RANGE, optimizer, Consistency.synchronous(), 4);
        other.restore(snapshot);
        assertThat(other.push("b", 1, 1, gradient(9, 9)).outcome()).isEqualTo(DUPLICATE);
        assertThat(other.push("b", 2, 1, gradient(4, 4)).outcome()).isEqualTo(APPLIED);
        // v = 0.5 * 2 + (2 + 4) / 2 = 4; p = 10 - 2 - 4
        assertThat(weights(other)).containsExactly(0, 4, 14, 0);
    }

    @Test
    void a_snapshot_of_something_else_is_refused() {
        ShardSnapshot snapshot = shard(Consistency.asynchronous()).snapshot();

        assertThatThrownBy(() -> new ParameterShard(
                                new ShardRange(1, 1, 3), Optimizer.sgd(1f), Consistency.asynchronous(), 4)
                        .restore(snapshot))
                .hasMessage("a snapshot of ps-1[1..3) does not fit ps-1[1..4)");
        assertThatThrownBy(() ->
                        new ParameterShard(RANGE, Optimizer.adam(1f), Consistency.asynchronous(), 4).restore(snapshot))
                .hasMessage("ps-1: a snapshot of the optimizer sgd:learning_rate=1.0 cannot be continued with"
                        + " adam:learning_rate=1.0,beta_1=0.9,beta_2=0.999,epsilon=1.0E-7");
        assertThatThrownBy(() ->
                        new ParameterShard(RANGE, Optimizer.sgd(1f), Consistency.asynchronous(), 5).restore(snapshot))
                .hasMessage("ps-1: the snapshot has 4 minibatches per epoch, but this job has 5;"
                        + " data and minibatch size must be unchanged");
    }
}
