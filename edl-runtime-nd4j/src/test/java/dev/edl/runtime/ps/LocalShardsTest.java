package dev.edl.runtime.ps;

import static dev.edl.runtime.ps.PushResult.Outcome.ACCUMULATED;
import static dev.edl.runtime.ps.PushResult.Outcome.APPLIED;
import static dev.edl.runtime.ps.PushResult.Outcome.DUPLICATE;
import static dev.edl.runtime.ps.PushResult.Outcome.STALE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.ps.group.LocalShards;
import dev.edl.runtime.ps.group.TestShards;
import dev.edl.runtime.ps.group.Workers;
import dev.edl.runtime.ps.shard.ParameterShard;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class LocalShardsTest {
    private static final float[] ONES = {1, 1, 1, 1};
    private final long[] versions = new long[2];

    private static TestShards group(Consistency consistency) throws InterruptedException {
        TestShards group = TestShards.create(4, 2, Optimizer.sgd(1f), consistency, 4, Duration.ofMillis(1));
        group.initialize(new float[] {10, 20, 30, 40});
        return group;
    }

    private static float[] weights(TestShards group) throws InterruptedException {
        return group.cut().weights();
    }

    @Test
    void a_push_goes_to_every_shard() throws InterruptedException {
        TestShards group = group(Consistency.asynchronous());
        float[] pulled = new float[4];
        Workers.of(group).pull(pulled, versions);

        assertThat(Workers.of(group).push("a", 0, versions, new float[] {1, 2, 3, 4}))
                .isEqualTo(new PushResult(APPLIED, 1));
        assertThat(Workers.of(group).push("a", 0, versions, ONES).outcome()).isEqualTo(DUPLICATE);
        assertThat(pulled).containsExactly(10, 20, 30, 40);
        assertThat(weights(group)).containsExactly(9, 18, 27, 36);
        for (int shard = 0; shard < group.count(); shard++) {
            assertThat(group.shard(shard).orElseThrow().pushes().applied(0)).isEqualTo(BitSet.valueOf(new long[] {1}));
        }
        assertThat(group).hasToString("2 shards, 0 members");
    }

    @Test
    void a_pull_into_a_sink_brings_every_parameter_once() throws InterruptedException {
        TestShards group = group(Consistency.asynchronous());
        Workers.of(group).push("a", 0, versions, ONES);
        float[] got = new float[4];

        Workers.of(group)
                .pull(
                        "a",
                        (values, from, offset, count) -> {
                            for (int i = 0; i < count; i++) {
                                got[offset + i] += values[from + i];
                            }
                        },
                        List.of(),
                        versions);

        assertThat(got).containsExactly(9, 19, 29, 39);
        assertThat(versions).containsExactly(1, 1);
    }

    @Test
    void detached_shard_cannot_change_its_successor() throws InterruptedException {
        TestShards group = group(Consistency.synchronous());
        ShardSnapshot before = group.cut().shards().get(1);
        ParameterShard old = group.detach(1);
        ParameterShard next = new ParameterShard(old.range(), Optimizer.sgd(1f), Consistency.synchronous(), 4);
        next.initialize(new float[] {0, 0, 300, 400});
        group.attach(1, next);

        String message = "parameter shard ps-1 was detached";
        assertThatThrownBy(() -> old.restore(before)).hasMessage(message);
        assertThatThrownBy(() -> old.initialize(ONES)).hasMessage(message);
        assertThatThrownBy(() -> old.push("a", 0, 0, ONES)).hasMessage(message);
        assertThatThrownBy(() -> old.pull(new float[4])).hasMessage(message);
        assertThat(old.flush()).isFalse();
        assertThat(weights(group)).containsExactly(10, 20, 300, 400);
    }

    @Test
    void successor_continues_with_slots_and_an_open_round() throws InterruptedException {
        // Momentum 0.5 and a rate of 1, so that each weight is v = 0.5 v + g lower each time.
        Optimizer rule = Optimizer.sgd(1f, 0.5f, false);
        TestShards group = TestShards.create(4, 2, rule, Consistency.synchronous(), 4, Duration.ofMillis(1));
        group.initialize(new float[4]);
        group.join("a");
        Workers.of(group).push("a", 0, versions, ONES);
        group.join("b");
        Workers.of(group).push("b", 1, new long[] {1, 1}, new float[] {3, 3, 3, 3});
        ShardSnapshot saved = group.cut().shards().get(1);
        ParameterShard next = new ParameterShard(group.detach(1).range(), rule, Consistency.synchronous(), 4);
        next.restore(saved);
        group.attach(1, next);

        Workers.of(group).push("a", 2, new long[] {1, 1}, ONES);
        // The new shard does not know the contributors of its restored round, and would wait for b.
        group.flush();

        // v = 0.5 * 1 + (3 + 1) / 2 = 2.5 behind the 1 of the first update.
        assertThat(weights(group)).containsExactly(-3.5f, -3.5f, -3.5f, -3.5f);
    }

    @Test
    void a_gradient_that_is_not_finite_reaches_no_shard() throws InterruptedException {
        TestShards group = group(Consistency.asynchronous());

        assertThatThrownBy(() ->
                        Workers.of(group).push("a", 0, versions, new float[] {1, 1, 1, Float.POSITIVE_INFINITY}))
                .hasMessage("the gradient must be finite, was Infinity at index 3");
        assertThat(weights(group)).containsExactly(10, 20, 30, 40);
    }

    @Test
    void overflowed_weight_is_found_in_a_cut() throws InterruptedException {
        TestShards group = group(Consistency.asynchronous());
        float[] gradient = {0, 0, 0, -Float.MAX_VALUE};
        Workers.of(group).push("a", 0, versions, gradient);
        assertThat(group.cut().firstNonFinite()).isEmpty();

        Workers.of(group).pull(new float[4], versions);
        Workers.of(group).push("a", 1, versions, gradient);
        assertThat(group.cut().firstNonFinite()).hasValue(3);
        assertThat(group.cut().shards().get(0).weights()).containsExactly(10, 20);
    }

    @Test
    void partial_push_is_completed_by_its_retry() throws InterruptedException {
        TestShards group = group(Consistency.asynchronous());
        Workers.of(group).push("a", 0, versions, ONES);
        group.shard(0).orElseThrow().push("a", 1, 1, ONES);

        assertThat(group.cut().consistent()).isFalse();
        assertThat(group.cut()).hasToString("version 2 of 2 shards, inconsistent");
        assertThat(group.resumeAt(0, 4, ShardLife.UNKNOWN_LIVES)).isEqualTo(1);

        Workers.of(group).pull(new float[4], versions);
        assertThat(Workers.of(group).push("b", 1, versions, ONES).outcome()).isEqualTo(APPLIED);
        assertThat(group.cut().consistent()).isTrue();
        assertThat(weights(group)).containsExactly(8, 18, 28, 38);
        assertThat(group.resumeAt(0, 2, ShardLife.UNKNOWN_LIVES)).isEqualTo(2);
    }

    @Test
    void a_push_that_one_shard_finds_stale_is_stale() throws InterruptedException {
        TestShards group = group(Consistency.staleness(1));

        Workers.of(group).push("a", 0, versions, ONES);
        group.shard(1).orElseThrow().push("a", 1, 1, ONES);
        assertThat(Workers.of(group).push("b", 2, versions, ONES).outcome()).isEqualTo(STALE);
        Workers.of(group).pull(new float[4], versions);
        assertThat(Workers.of(group).push("b", 2, versions, ONES).outcome()).isEqualTo(APPLIED);
        assertThat(group.shard(0).orElseThrow().appliedCount()).isEqualTo(2);
        assertThat(group.shard(1).orElseThrow().appliedCount()).isEqualTo(3);
    }

    @Test
    void workers_at_different_shards_do_not_deadlock() throws InterruptedException {
        TestShards group = group(Consistency.synchronous());
        group.shard(0).orElseThrow().push("dead-1", 0, 0, ONES);
        group.shard(1).orElseThrow().push("dead-2", 1, 0, ONES);
        group.join("a");
        group.join("b");
        Workers.of(group).pull(new float[4], versions);

        assertThat(Workers.of(group).push("a", 0, versions, ONES).outcome()).isEqualTo(ACCUMULATED);
        assertThat(Workers.of(group).push("b", 1, versions, ONES).outcome()).isEqualTo(ACCUMULATED);
        Thread b = new Thread(() -> awaitAndLeave(group, "b", 1));
        b.start();
        assertThat(Workers.of(group).awaitRound("a", 0, Duration.ofSeconds(60))).isTrue();
        // The worker that returns first keeps the other's round open until it pushes again or leaves.
        group.leave("a");
        b.join(60_000);
        assertThat(b.isAlive()).isFalse();
        assertThat(group.resumeAt(0, 2, ShardLife.UNKNOWN_LIVES)).isEqualTo(2);
    }

    private static void awaitAndLeave(TestShards group, String worker, long pushId) {
        try {
            Workers.of(group).awaitRound(worker, pushId, Duration.ofSeconds(60));
            group.leave(worker);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void operations_wait_for_a_detached_shard_and_name_it() throws InterruptedException {
        TestShards group = group(Consistency.asynchronous());
        group.detach(1);

        assertThatThrownBy(() -> Workers.of(group).pull(new float[4], versions))
                .isInstanceOf(ShardTimeoutException.class)
                .hasMessage("parameter shard ps-1 did not come back within 1ms");
        assertThatThrownBy(() -> group.detach(1)).hasMessage("parameter shard ps-1 is detached already");
        assertThat(group.shard(1)).isEmpty();
    }

    @Test
    void a_cut_before_the_first_master_waits_for_shards() {
        LocalShards group = new LocalShards(ShardContents.floats(4), 2, Duration.ofMillis(1));

        assertThatThrownBy(group::cut)
                .isInstanceOf(ShardTimeoutException.class)
                .hasMessage("parameter shard ps-0 did not come back within 1ms");
        assertThatThrownBy(group::decided).isInstanceOf(ShardTimeoutException.class);
    }

    @Test
    void shard_restored_older_receives_missing_pushes() throws InterruptedException {
        TestShards group = group(Consistency.asynchronous());
        Workers.of(group).push("a", 0, versions, ONES);
        ShardSnapshot old = group.cut().shards().get(1);
        Workers.of(group).pull(new float[4], versions);
        Workers.of(group).push("a", 1, versions, ONES);
        Workers.of(group).pull(new float[4], versions);

        ParameterShard dead = group.detach(1);
        ParameterShard back = new ParameterShard(old.range(), Optimizer.sgd(1f), Consistency.asynchronous(), 4);
        back.restore(old);
        group.attach(1, back);

        assertThatThrownBy(() -> dead.pull(new float[4])).hasMessage("parameter shard ps-1 was detached");
        assertThat(group.resumeAt(0, 4, ShardLife.UNKNOWN_LIVES)).isEqualTo(1);
        assertThat(Workers.of(group).push("a", 1, versions, ONES).outcome()).isEqualTo(STALE);
        Workers.of(group).pull(new float[4], versions);
        assertThat(Workers.of(group).push("a", 1, versions, ONES).outcome()).isEqualTo(APPLIED);
        assertThat(weights(group)).containsExactly(8, 18, 28, 38);
        assertThat(group.cut().consistent()).isTrue();
    }

    @Test
    void worker_waiting_at_a_dying_shard_repeats_its_minibatch() throws InterruptedException {
        TestShards group =
                TestShards.create(4, 2, Optimizer.sgd(1f), Consistency.synchronous(), 4, Duration.ofSeconds(60));
        group.initialize(new float[4]);
        group.join("a");
        group.join("b");
        Workers.of(group).push("a", 0, versions, ONES);
        List<Boolean> applied = new ArrayList<>();
        Thread a = new Thread(() -> {
            try {
                applied.add(Workers.of(group).awaitRound("a", 0, Duration.ofSeconds(60)));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        a.start();
        group.detach(0);
        ParameterShard fresh =
                new ParameterShard(new ShardRange(0, 0, 2), Optimizer.sgd(1f), Consistency.synchronous(), 4);
        fresh.initialize(new float[4]);
        group.attach(0, fresh);
        a.join(60_000);

        assertThat(applied).containsExactly(false);
        assertThat(fresh.members()).containsExactly("a", "b");
        Workers.of(group).push("a", 0, versions, ONES);
        assertThat(Workers.of(group).push("b", 1, versions, ONES).outcome()).isEqualTo(APPLIED);
        assertThat(weights(group)).containsExactly(-1, -1, -1, -1);
    }

    @Test
    void listener_gets_each_fully_pinned_version_once_and_may_use_the_group() throws InterruptedException {
        TestShards group = group(Consistency.asynchronous());
        List<String> told = new ArrayList<>();
        group.pins().pinEvery(2, 2, version -> {
            try {
                told.add(version + " " + group.pins().hold(version) + " " + group.cut());
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        for (int i = 0; i < 3; i++) {
            Workers.of(group).pull(new float[4], versions);
            Workers.of(group).push("a", i, versions, ONES);
        }

        assertThat(told).containsExactly("2 true version 2 of 2 shards, consistent");
        assertThat(group.pins().pinned(2).orElseThrow().weights()).containsExactly(8, 18, 28, 38);
        assertThat(group.pins().unpin(2)).isTrue();
        assertThat(group.pins().pinned(2)).isEmpty();
    }

    @Test
    void a_leave_ends_the_round_on_every_shard() throws InterruptedException {
        TestShards group = group(Consistency.synchronous());
        assertThat(group.join("a")).isTrue();
        assertThat(group.join("a")).isFalse();
        group.join("b");
        Workers.of(group).push("a", 0, versions, ONES);

        assertThat(group.leave("b")).isTrue();
        assertThat(weights(group)).containsExactly(9, 19, 29, 39);
        assertThat(Workers.of(group).awaitRound("a", 0, Duration.ZERO)).isTrue();
    }

    @Test
    void a_flush_applies_open_rounds_and_the_learning_rate_can_change() throws InterruptedException {
        TestShards group = group(Consistency.synchronous());
        group.join("a");
        group.join("b");
        Workers.of(group).push("a", 0, versions, ONES);
        group.learningRate(0.5f);
        group.flush();

        assertThat(weights(group)).containsExactly(9.5f, 19.5f, 29.5f, 39.5f);
    }

    @Test
    void vectors_of_another_length_are_refused() throws InterruptedException {
        TestShards group = group(Consistency.asynchronous());

        assertThatThrownBy(() -> Workers.of(group).pull(new float[5], versions))
                .hasMessage("a vector must have the model's 4 floats, had 5");
        assertThatThrownBy(() -> Workers.of(group).push("a", 0, new long[1], ONES))
                .hasMessage("there must be one version for each of 2 shards, were 1");
        assertThatThrownBy(() -> new TestShards(Arrays.asList(group.shard(1).orElseThrow()), Duration.ofSeconds(1)))
                .hasMessage("the slot of ps-0[0..4) does not fit ps-1[2..4)");
    }

    @Test
    void gradient_of_lost_weights_is_stale_even_if_its_version_was_remade() throws InterruptedException {
        TestShards group = group(Consistency.asynchronous());
        ShardSnapshot saved = group.cut().shards().get(1);
        Workers.of(group).push("b", 0, versions, ONES);
        long[] pulled = new long[2];
        Workers.of(group).pull("a", new float[4], List.of(), pulled);
        group.restore(List.of(group.cut().shards().get(0), saved));
        Workers.of(group).push("b", 1, new long[] {1, 0}, ONES);

        assertThat(group.shard(1).orElseThrow().version()).isEqualTo(pulled[1]);
        assertThat(Workers.of(group).push("a", 2, pulled, ONES).outcome()).isEqualTo(STALE);
        Workers.of(group).pull("a", new float[4], List.of(), pulled);
        assertThat(Workers.of(group).push("a", 2, pulled, ONES).outcome()).isEqualTo(APPLIED);
    }
}
