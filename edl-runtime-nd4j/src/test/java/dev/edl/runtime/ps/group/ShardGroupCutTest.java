package dev.edl.runtime.ps.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.optimizers.UpdateRule;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.ShardCut;
import dev.edl.runtime.ps.WeightVersions;
import dev.edl.runtime.ps.ports.ShardsPort;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.ps.shard.ParameterShard;
import dev.edl.runtime.ps.shard.ShardObserver;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Cuts taken while pushes are between one shard and the next. */
class ShardGroupCutTest {
    private static final float[] ONES = {1, 1, 1, 1};
    private static final Term TERM = new Term(1, "m.1");
    private static final Duration BOUND = Duration.ofSeconds(60);

    /** A worker that pushes to one shard after the other, and stops between the two. */
    private static final class Halfway {
        final CountDownLatch reached = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);
        private final TestShards group;

        Halfway(TestShards group) {
            this.group = group;
        }

        /** Pushes as worker "a". */
        PushResult push(long sequence, long id) throws InterruptedException {
            WeightVersions base = new WeightVersions(2);
            group.worker("a").pull(new float[4], List.of(), base);
            group.shard(0).orElseThrow().pushFinite("a", sequence, id, base, ONES, List.of(), false);
            reached.countDown();
            assertThat(goOn.await(60, TimeUnit.SECONDS)).isTrue();
            return group.shard(1).orElseThrow().pushFinite("a", sequence, id, base, ONES, List.of(), false);
        }
    }

    private static TestShards group() throws InterruptedException {
        ShardContents contents = ShardContents.floats(4);
        UpdateRule rule = UpdateRule.of(Optimizer.sgd(1f), Consistency.asynchronous());
        TestShards group = new TestShards(
                contents.split(2).stream()
                        .map(range -> new ParameterShard(range, 2, contents, rule, 8))
                        .toList(),
                BOUND);
        group.initialize(new float[4]);
        return group;
    }

    private static PushResult push(ShardsPort worker, long id) throws InterruptedException {
        WeightVersions base = new WeightVersions(2);
        worker.pull(new float[4], List.of(), base);
        return worker.push(id, base, ONES, List.of());
    }

    private static <T> CompletableFuture<T> started(String name, ThrowingCall<T> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        answer.complete(call.get());
                    } catch (Throwable e) {
                        answer.completeExceptionally(e);
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
        return answer;
    }

    @FunctionalInterface
    private interface ThrowingCall<T> {
        T get() throws Exception;
    }

    private static <T> T soon(CompletableFuture<T> answer)
            throws InterruptedException, ExecutionException, TimeoutException {
        return answer.get(60, TimeUnit.SECONDS);
    }

    @Test
    void push_admitted_by_one_shard_is_in_the_cut_of_all() throws Exception {
        TestShards group = group();
        Halfway halfway = new Halfway(group);
        push(group.worker("a"), 0);
        CompletableFuture<PushResult> pushed = started("a", () -> halfway.push(2, 1));
        assertThat(halfway.reached.await(60, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<ShardCut> cut = started("cut", group::cut);
        halfway.goOn.countDown();

        assertThat(soon(cut)).hasToString("version 2 of 2 shards, consistent");
        assertThat(soon(cut).shards())
                .allSatisfy(shard -> assertThat(shard.appliedPushes()).containsExactly(0L, 1L));
        assertThat(soon(pushed).outcome()).isEqualTo(PushResult.Outcome.APPLIED);
    }

    @Test
    void continuous_pushes_never_make_a_cut_inconsistent() throws Exception {
        TestShards group = group();
        AtomicLong next = new AtomicLong();
        CountDownLatch enough = new CountDownLatch(1);
        List<CompletableFuture<Boolean>> workers = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            workers.add(started(name, () -> {
                ShardsPort worker = group.worker(name);
                while (enough.getCount() > 0) {
                    push(worker, next.getAndIncrement());
                }
                return true;
            }));
        }
        long before = -1;
        for (int i = 0; i < 200; i++) {
            ShardCut cut = group.cut();
            assertThat(cut.consistent()).as("cut %d: %s", i, cut.shards()).isTrue();
            assertThat(cut.version()).isGreaterThanOrEqualTo(before);
            before = cut.version();
        }
        enough.countDown();
        for (CompletableFuture<Boolean> worker : workers) {
            soon(worker);
        }
    }

    @Test
    void no_cut_waits_for_pushes_of_a_lost_shard() throws Exception {
        TestShards group = group();
        push(group.worker("a"), 0);
        ParameterShard lost = group.detach(1);
        ParameterShard next = new ParameterShard(
                lost.range(), 2, group.contents(), UpdateRule.of(Optimizer.sgd(1f), Consistency.asynchronous()), 8);
        next.initialize(new float[4]);
        group.attach(1, next);

        assertThat(next.cuts().taken()).containsExactly(Map.entry("a", 1L));
    }

    @Test
    void incomplete_push_delays_one_cut_and_makes_it_inconsistent() throws Exception {
        TestShards group = group();
        Halfway halfway = new Halfway(group);
        push(group.worker("b"), 0);
        CompletableFuture<PushResult> pushed = started("a", () -> halfway.push(1, 1));
        assertThat(halfway.reached.await(60, TimeUnit.SECONDS)).isTrue();
        ParameterShard[] shards = {group.shard(0).orElseThrow(), group.shard(1).orElseThrow()};

        assertThat(group.lead(TERM, Duration.ofMillis(1)).cut().consistent()).isFalse();
        assertThat(shards[0].cuts().taken()).isEqualTo(shards[1].cuts().taken());
        halfway.goOn.countDown();
        assertThat(soon(pushed).outcome()).isEqualTo(PushResult.Outcome.APPLIED);
        assertThat(group.cut().consistent()).isTrue();
    }

    @Test
    void each_shard_admits_pushes_after_its_own_copy() throws Exception {
        TestShards group = group();
        ParameterShard[] shards = {group.shard(0).orElseThrow(), group.shard(1).orElseThrow()};
        List<String> held = new ArrayList<>();
        for (ParameterShard shard : shards) {
            shard.observe(onSaved(() -> held.add(held(shards[0]) + " " + held(shards[1]))));
        }
        group.cut();

        // During the second copy, the first shard has its copy.
        assertThat(held).containsExactly("true true", "false true");
    }

    /** Returns whether the group's first cut blocks pushes to a shard. */
    private static boolean held(ParameterShard shard) {
        try {
            return shard.cuts().flushTo(CutRetry.TRIES, Map.of(), Duration.ZERO);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static ShardObserver onSaved(Runnable action) {
        return (ShardObserver) Proxy.newProxyInstance(
                ShardObserver.class.getClassLoader(), new Class<?>[] {ShardObserver.class}, (proxy, method, given) -> {
                    if (method.getName().equals("saved")) {
                        action.run();
                    }
                    return null;
                });
    }

    @Test
    void cut_is_retried_after_a_lost_shard_returns() throws Exception {
        TestShards group = group();
        Halfway halfway = new Halfway(group);
        CompletableFuture<PushResult> pushed = started("a", () -> halfway.push(1, 0));
        assertThat(halfway.reached.await(60, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<ShardCut> cut = started("cut", group::cut);
        ParameterShard lost = group.detach(1);
        ParameterShard next = new ParameterShard(
                lost.range(), 2, group.contents(), UpdateRule.of(Optimizer.sgd(1f), Consistency.asynchronous()), 8);
        next.initialize(new float[4]);
        group.attach(1, next);
        halfway.goOn.countDown();

        assertThat(soon(cut).shards()).hasSize(2);
        // The gradient's weights were lost, so the worker must repeat its minibatch.
        assertThat(soon(pushed).outcome()).isEqualTo(PushResult.Outcome.STALE);
    }
}
