package dev.edl.runtime.ps.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.ShardCut;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.ps.WeightVersions;
import dev.edl.runtime.ps.ports.ShardsPort;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.ps.shard.ParameterShard;
import dev.edl.runtime.ps.shard.ShardObserver;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls to the shards of one JVM while a shard is replaced, a master takes over or a cut is taken. */
@Timeout(60)
class ReplacedShardTest {
    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final float[] ONES = {1, 1, 1, 1};
    private final long[] versions = new long[2];

    private interface Call<T> {
        T get() throws Exception;
    }

    /** A call on its own thread. */
    private static final class Started<T> {
        final Thread thread;
        private final FutureTask<T> task;

        Started(Call<T> call) {
            task = new FutureTask<>(call::get);
            thread = new Thread(task);
            thread.setDaemon(true);
            thread.start();
        }

        /** Waits until the thread waits for something. */
        Started<T> parked() {
            while (thread.getState() != Thread.State.TIMED_WAITING && thread.getState() != Thread.State.WAITING) {
                assertThat(task).as("the call has ended without a wait").isNotDone();
                Thread.onSpinWait();
            }
            return this;
        }

        T result() throws Exception {
            return task.get();
        }
    }

    private static void waitOn(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static TestShards group(int shards, Consistency consistency) throws InterruptedException {
        TestShards group = TestShards.create(2 * shards, shards, Optimizer.sgd(1f), consistency, 8, BOUND);
        group.initialize(new float[2 * shards]);
        return group;
    }

    private static ParameterShard fresh(ShardRange range, Consistency consistency) {
        ParameterShard shard = new ParameterShard(range, Optimizer.sgd(1f), consistency, 8);
        shard.initialize(new float[4]);
        return shard;
    }

    private static ShardObserver on(String event, Runnable action) {
        return (ShardObserver) Proxy.newProxyInstance(
                ShardObserver.class.getClassLoader(), new Class<?>[] {ShardObserver.class}, (proxy, method, given) -> {
                    if (method.getName().equals(event)) {
                        action.run();
                    }
                    return null;
                });
    }

    @Test
    void a_wait_is_false_if_an_ended_rounds_shard_was_replaced_without_the_push() throws Exception {
        TestShards group = group(2, Consistency.synchronous());
        group.join("a");
        group.join("b");
        Workers.of(group).push("a", 0, versions, ONES);
        Started<Boolean> wait = new Started<>(() -> Workers.of(group).awaitRound("a", 0, BOUND)).parked();
        group.shard(0).orElseThrow().push("b", 1, 0, ONES);
        ParameterShard lost = group.detach(0);
        ParameterShard next = fresh(lost.range(), Consistency.synchronous());
        group.attach(0, next);
        group.shard(1).orElseThrow().push("b", 1, 0, ONES);

        assertThat(wait.result()).isFalse();
        assertThat(next.held(0, 1)).isZero();
    }

    @Test
    void a_wait_is_true_if_the_successor_holds_the_push() throws Exception {
        TestShards group = group(2, Consistency.synchronous());
        group.join("a");
        group.join("b");
        AtomicBoolean once = new AtomicBoolean();
        // The listener runs between the begin of the wait and the first look at it.
        group.pins().pinEvery(1, 4, version -> {
            if (!once.getAndSet(true)) {
                replaceByItsCopy(group);
            }
        });
        for (int i = 0; i < 2; i++) {
            ParameterShard shard = group.shard(i).orElseThrow();
            shard.push("a", 0, 0, ONES);
            shard.push("b", 1, 0, ONES);
            shard.push("a", 2, 1, ONES);
        }

        assertThat(Workers.of(group).awaitRound("a", 2, BOUND)).isTrue();
        assertThat(once).isTrue();
    }

    private static void replaceByItsCopy(TestShards group) {
        try {
            ShardSnapshot copy = group.cut().shards().get(0);
            ParameterShard lost = group.detach(0);
            ParameterShard next = new ParameterShard(lost.range(), Optimizer.sgd(1f), Consistency.synchronous(), 8);
            next.restore(copy);
            group.attach(0, next);
            for (int i = 0; i < 2; i++) {
                group.shard(i).orElseThrow().push("b", 3, 1, ONES);
                group.shard(i).orElseThrow().flush();
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_detached_shard_never_writes_to_its_successor() throws Exception {
        TestShards group = group(2, Consistency.asynchronous());
        group.join("x");
        ParameterShard old = group.shard(1).orElseThrow();
        CountDownLatch taken = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        old.observe(on("accepted", () -> {
            taken.countDown();
            waitOn(goOn);
        }));
        Started<?> push = new Started<>(() -> old.push("a", 0, 0, ONES));
        waitOn(taken);
        Started<?> detach = new Started<>(() -> group.detach(1)).parked();
        ParameterShard next = fresh(old.range(), Consistency.asynchronous());
        Started<?> attach = new Started<>(() -> {
                    group.attach(1, next);
                    return next;
                })
                .parked();
        goOn.countDown();
        push.result();
        detach.result();
        attach.result();

        float[] weights = new float[4];
        assertThat(next.pull(weights)).isZero();
        assertThat(weights).containsOnly(0);
    }

    @Test
    void no_shard_stops_between_the_check_and_the_confirmation() throws Exception {
        TestShards group = group(2, Consistency.asynchronous());
        List<String> events = Collections.synchronizedList(new ArrayList<>());
        List<Started<?>> detached = new ArrayList<>();
        group.observe((GroupObserver) Proxy.newProxyInstance(
                GroupObserver.class.getClassLoader(), new Class<?>[] {GroupObserver.class}, (proxy, method, given) -> {
                    if (method.getName().equals("shard")) {
                        return on("stopped", () -> events.add("stopped"));
                    }
                    if (method.getName().equals("confirmed")) {
                        detached.add(new Started<>(() -> group.detach(1)).parked());
                        events.add("confirmed");
                    }
                    return null;
                }));
        ShardsPort worker = group.worker("a");
        WeightVersions base = new WeightVersions(2);
        worker.pull(new float[4], List.of(), base);
        worker.push(0, base, ONES, List.of());

        assertThat(worker.resumeAt(0, 1)).isEqualTo(1);
        detached.get(0).result();
        assertThat(events).containsExactly("confirmed", "stopped");
    }

    @Test
    void a_refused_keep_keeps_the_version_at_no_shard() throws Exception {
        TestShards group = group(2, Consistency.asynchronous());
        group.pins().pinEvery(1, 2, version -> {});
        Workers.of(group).push("a", 0, versions, ONES);
        assertThat(group.pins().hold(1)).isTrue();
        ParameterShard lost = group.detach(1);
        group.attach(1, fresh(lost.range(), Consistency.asynchronous()));
        Workers.of(group).push("b", 1, new long[] {1, 0}, ONES);
        assertThat(group.pins().pins()).contains(1L);

        assertThat(group.pins().keep(1)).isFalse();
        group.pins().release(1);
        assertThat(group.shard(0).orElseThrow().pins().versions()).doesNotContain(1L);
    }

    @Test
    void a_cut_of_three_shards_admits_a_push_on_its_way_at_all_of_them() throws Exception {
        TestShards group = group(3, Consistency.asynchronous());
        // The second worker begins its calls at ps-1.
        group.worker("first");
        ShardsPort worker = group.worker("second");
        WeightVersions base = new WeightVersions(3);
        worker.pull(new float[6], List.of(), base);
        CountDownLatch halfway = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicBoolean once = new AtomicBoolean();
        // This listener of ps-1 runs outside its lock, before the worker calls ps-2.
        group.shard(1).orElseThrow().pins().every(1, 1, version -> {
            if (!once.getAndSet(true)) {
                halfway.countDown();
                waitOn(goOn);
            }
        });
        Started<?> push = new Started<>(() -> worker.push(0, base, new float[] {1, 1, 1, 1, 1, 1}, List.of()));
        waitOn(halfway);
        Started<ShardCut> cut = new Started<>(group::cut).parked();
        goOn.countDown();

        assertThat(cut.result().consistent()).isTrue();
        push.result();
    }

    @Test
    void a_cut_of_a_caller_that_is_no_replica_survives_a_new_master() throws Exception {
        ShardContents contents = ShardContents.floats(4);
        LocalShards group = new LocalShards(contents, 2, BOUND);
        Term first = new Term(1, "m.1");
        group.lead(first);
        for (ShardRange range : contents.split(2)) {
            group.attach(range.index(), fresh(range, Consistency.asynchronous()), first, ShardLife.UNORDERED.next());
        }
        // The cut waits under the first master while the next one begins.
        Started<ShardCut> cut;
        group.membership().lock();
        try {
            cut = new Started<>(group::cut).parked();
            group.lead(new Term(2, "m.2"));
        } finally {
            group.membership().unlock();
        }

        assertThat(cut.result().consistent()).isTrue();
    }
}
