package dev.edl.runtime.wire.frames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.initializers.Initializer;
import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.model.EmbeddingTable;
import dev.edl.runtime.model.ParameterLayout;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.PushResult.Outcome;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardTimeoutException;
import dev.edl.runtime.ps.WeightVersions;
import dev.edl.runtime.ps.host.HostedShard;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps of workers over sockets. */
class StepTest {
    private static final Duration BOUND = Duration.ofSeconds(60);

    private Loopback loopback = Loopback.floats(2, 10, Consistency.asynchronous());
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void close() {
        loopback.close();
        threads.shutdownNow();
    }

    private void begin(Loopback next) {
        loopback.close();
        loopback = next;
    }

    private static float[] ones(int size) {
        float[] ones = new float[size];
        Arrays.fill(ones, 1);
        return ones;
    }

    private static float[] steps(RemoteShards worker, int size, int first, int count, boolean rounds)
            throws InterruptedException {
        WeightVersions base = new WeightVersions(worker.count());
        float[] weights = new float[size];
        for (int push = first; push < first + count; ) {
            worker.pull(weights, List.of(), base);
            PushResult result = worker.push(push, base, ones(size), List.of());
            boolean again = result.outcome() == Outcome.STALE
                    || (rounds && result.outcome() == Outcome.ACCUMULATED && !worker.awaitRound(push, BOUND));
            push += again ? 0 : 1;
        }
        worker.pull(weights, List.of(), base);
        return weights;
    }

    @Test
    void asynchronous_step_sends_each_shard_one_request() throws InterruptedException {
        RemoteShards worker = loopback.worker("w");
        steps(worker, 10, 0, 1, false);
        int before = worker.requests(1);

        assertThat(steps(worker, 10, 1, 20, false)).containsOnly(-21);
        // The first of them pulls, because the last pull has used the values of the preceding push.
        assertThat(worker.requests(0) - before).isEqualTo(1 + 20);
        assertThat(worker.requests(1) - before).isEqualTo(1 + 20);
    }

    @Test
    void synchronous_step_sends_each_shard_one_request() throws Exception {
        begin(Loopback.floats(2, 10, Consistency.synchronous()));
        for (int i = 0; i < 2; i++) {
            loopback.shards.get(i).members(Loopback.TERM, 0, List.of("a", "b"));
        }
        RemoteShards a = loopback.worker("a");
        RemoteShards b = loopback.worker("b");
        Future<float[]> other = threads.submit(() -> steps(b, 10, 100, 30, true));
        assertThat(steps(a, 10, 0, 30, true)).containsOnly(-30);
        assertThat(other.get(60, TimeUnit.SECONDS)).containsOnly(-30);

        // HELLO, the first pull, 30 pushes, and one AWAIT before the worker is known to await its rounds.
        assertThat(a.requests(0) + b.requests(0)).isBetween(2 * (2 + 30), 2 * (2 + 30 + 1));
        assertThat(a.requests(1) + b.requests(1)).isBetween(2 * (2 + 30), 2 * (2 + 30 + 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void transfers_beyond_socket_buffers_do_not_deadlock(int shards) throws Exception {
        int size = 3_000_000;
        begin(Loopback.floats(shards, size, Consistency.asynchronous()));
        List<Future<float[]>> workers = new java.util.ArrayList<>();
        for (int w = 0; w < 6; w++) {
            int first = 10 * w;
            RemoteShards worker = loopback.worker("w" + w);
            workers.add(threads.submit(() -> steps(worker, size, first, 3, false)));
        }
        for (Future<float[]> worker : workers) {
            worker.get(120, TimeUnit.SECONDS);
        }
        float[] weights = new float[size];
        loopback.worker("reader").pull(weights, List.of(), new WeightVersions(shards));
        assertThat(weights[0]).isEqualTo(-18);
        assertThat(weights[size - 1]).isEqualTo(-18);
    }

    @Test
    void rows_go_to_the_shard_that_keeps_them() throws InterruptedException {
        EmbeddingTable table = new EmbeddingTable("t", 3, 0, 1, Initializer.constant(1));
        ShardContents contents =
                ShardContents.of(ParameterLayout.builder().add("w", 4).build(), List.of(table), 7);
        begin(new Loopback(2, contents, List.of(table), Consistency.asynchronous()));
        RemoteShards worker = loopback.worker("w");
        EmbeddingRows rows = EmbeddingRows.of(table, 5, 2, 8, 7);
        WeightVersions base = new WeightVersions(2);
        worker.pull(new float[4], List.of(rows), base);
        assertThat(Arrays.copyOf(rows.values(), 12)).containsOnly(1);
        for (int i = 0; i < 12; i++) {
            rows.gradients()[i] = i;
        }

        assertThat(worker.push(0, base, new float[4], List.of(rows)).outcome()).isEqualTo(Outcome.APPLIED);

        EmbeddingRows after = EmbeddingRows.of(table, 8, 9, 5);
        worker.pull(new float[4], List.of(after), base);
        assertThat(Arrays.copyOf(after.values(), 9)).containsExactly(-5, -6, -7, 1, 1, 1, 1, 0, -1);
    }

    @Test
    void worker_waits_for_the_successor_of_a_withdrawn_shard() throws Exception {
        RemoteShards worker = loopback.worker("w");
        steps(worker, 10, 0, 3, false);
        loopback.servers.get(1).withdraw();
        loopback.shards.get(1).retire();
        Future<float[]> waiting = threads.submit(() -> {
            float[] weights = new float[10];
            worker.pull(weights, List.of(), new WeightVersions(2));
            return weights;
        });
        while (worker.missing() != 1) {
            assertThat(waiting).isNotDone();
            Thread.onSpinWait();
        }
        loopback.servers.get(1).place(loopback.shard(1, 2, new ShardLife(Loopback.RUN, 1, 1)));

        assertThat(waiting.get(60, TimeUnit.SECONDS)).containsExactly(-3, -3, -3, -3, -3, 0, 0, 0, 0, 0);
        assertThat(worker.missing()).isEqualTo(-1);
    }

    @Test
    void waiting_for_one_shards_round_does_not_delay_other_shards() throws Exception {
        begin(Loopback.floats(2, 10, Consistency.synchronous()));
        for (int i = 0; i < 2; i++) {
            loopback.shards.get(i).members(Loopback.TERM, 0, List.of("a", "b"));
        }
        // After shards were restored from different cuts: a waits at shard 1 and b at shard 0, each for the other.
        RemoteShards a = loopback.worker("a");
        RemoteShards b = loopback.worker("b");
        loopback.shards.get(0).push("a", 1, 1, loopback.shards.get(0).life(), 0, ones(5), List.of());
        loopback.shards.get(0).flush(Loopback.TERM);
        loopback.shards.get(1).push("b", 1, 2, loopback.shards.get(1).life(), 0, ones(5), List.of());
        loopback.shards.get(1).flush(Loopback.TERM);
        Future<Boolean> other = threads.submit(() -> round(b, 2));

        assertThat(round(a, 1)).isTrue();
        assertThat(other.get(60, TimeUnit.SECONDS)).isTrue();
    }

    private static boolean round(RemoteShards worker, long push) throws InterruptedException {
        WeightVersions base = new WeightVersions(2);
        worker.pull(new float[10], List.of(), base);
        Outcome outcome = worker.push(push, base, ones(10), List.of()).outcome();
        assertThat(worker.answers()).extracting(PushResult::outcome).contains(Outcome.DUPLICATE);
        if (outcome == Outcome.APPLIED) {
            // The other worker waited already, so this round did not wait for it; the next minibatch ends the other's
            // round.
            worker.pull(new float[10], List.of(), base);
            return worker.push(push + 10, base, ones(10), List.of()).outcome() != Outcome.STALE;
        }
        assertThat(outcome).isEqualTo(Outcome.ACCUMULATED);
        return worker.awaitRound(push, BOUND);
    }

    @Test
    void resent_push_with_lost_response_is_awaited() throws Exception {
        begin(Loopback.floats(1, 4, Consistency.synchronous()));
        HostedShard shard = loopback.shards.get(0);
        shard.members(Loopback.TERM, 0, List.of("a", "b"));
        RemoteShards a = loopback.worker("a");
        WeightVersions base = new WeightVersions(1);
        a.pull(new float[4], List.of(), base);
        // The shard has taken it, and the connection broke before the response.
        shard.push("a", 1, 0, shard.life(), 0, ones(4), List.of());

        assertThat(a.push(0, base, ones(4), List.of()).outcome()).isEqualTo(Outcome.ACCUMULATED);
        assertThatThrownBy(() -> a.awaitRound(0, Duration.ofMillis(1))).hasMessageEndingWith("waits for b");
        shard.push("b", 1, 1, shard.life(), 0, ones(4), List.of());
        assertThat(a.awaitRound(0, BOUND)).isTrue();
        assertThat(a.push(0, base, ones(4), List.of()).outcome()).isEqualTo(Outcome.DUPLICATE);
        float[] weights = new float[4];
        a.pull(weights, List.of(), base);
        assertThat(weights).containsOnly(-1);
    }

    @Test
    @Timeout(30)
    void server_ends_the_round_wait_of_a_disconnected_worker() throws Exception {
        begin(Loopback.floats(1, 4, Consistency.synchronous()));
        loopback.shards.get(0).members(Loopback.TERM, 0, List.of("a", "b"));
        RemoteShards a = loopback.worker("a");
        WeightVersions base = new WeightVersions(1);
        a.pull(new float[4], List.of(), base);
        a.push(0, base, ones(4), List.of());
        Future<Boolean> waiting = threads.submit(() -> a.awaitRound(0, BOUND));
        Thread server = serving();
        while (server.getState() != Thread.State.TIMED_WAITING) {
            assertThat(waiting).isNotDone();
            Thread.onSpinWait();
        }
        loopback.timers.get(0).pass(Duration.ofSeconds(3));
        assertThat(server.isAlive()).isTrue();
        a.close();
        while (server.isAlive()) {
            loopback.timers.get(0).pass(Duration.ofSeconds(1));
            Thread.onSpinWait();
        }

        loopback.shards.get(0).members(Loopback.TERM, 0, List.of("a"));
        RemoteShards again = loopback.worker("a");
        assertThat(again.awaitRound(0, BOUND)).isTrue();
    }

    /** The thread of the only connection to the server. */
    private static Thread serving() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("ps-0 serves ") && thread.isAlive())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void reconnects_take_no_more_direct_memory() throws Exception {
        begin(Loopback.floats(1, 4, Consistency.asynchronous()));
        BufferPoolMXBean direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .findFirst()
                .orElseThrow();
        RemoteShards a = loopback.worker("a");
        WeightVersions base = new WeightVersions(1);
        a.pull(new float[4], List.of(), base);
        long before = direct.getMemoryUsed();
        for (int i = 0; i < 40; i++) {
            loopback.servers.get(0).withdraw();
            loopback.servers.get(0).place(loopback.shards.get(0));
            a.pull(new float[4], List.of(), base);
        }

        // Each end had 512 KiB per connection; a thread that ends late may still have its own.
        assertThat(direct.getMemoryUsed() - before).isLessThan(20 * 512 * 1024);
    }

    @Test
    void a_round_that_does_not_end_names_the_members_that_are_missing() throws InterruptedException {
        begin(Loopback.floats(1, 4, Consistency.synchronous()));
        loopback.shards.get(0).members(Loopback.TERM, 0, List.of("a", "b"));
        RemoteShards a = loopback.worker("a");
        WeightVersions base = new WeightVersions(1);
        a.pull(new float[4], List.of(), base);
        a.push(0, base, ones(4), List.of());

        assertThatThrownBy(() -> a.awaitRound(0, Duration.ofMillis(1)))
                .isInstanceOf(ShardTimeoutException.class)
                .hasMessageEndingWith("waits for b");
        assertThatThrownBy(() -> a.awaitRound(0, Duration.ofMillis(1))).hasMessageEndingWith("waits for b");
        loopback.shards.get(0).members(Loopback.TERM, 0, List.of("a"));
        assertThat(a.awaitRound(0, BOUND)).isTrue();
    }

    @Test
    void an_interrupt_ends_a_wait_and_the_worker_can_go_on() throws Exception {
        begin(Loopback.floats(1, 4, Consistency.synchronous()));
        loopback.shards.get(0).members(Loopback.TERM, 0, List.of("a", "b"));
        RemoteShards a = loopback.worker("a");
        WeightVersions base = new WeightVersions(1);
        a.pull(new float[4], List.of(), base);
        a.push(0, base, ones(4), List.of());
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> a.awaitRound(0, BOUND)).isInstanceOf(InterruptedException.class);
        loopback.shards.get(0).members(Loopback.TERM, 0, List.of("a"));
        assertThat(a.awaitRound(0, BOUND)).isTrue();
    }
}
