package dev.edl.runtime.ps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.history.HistoryEvent;
import dev.edl.runtime.history.RunRecorder;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.ps.group.TestShards;
import dev.edl.runtime.ps.group.Workers;
import dev.edl.testkit.history.History;
import dev.edl.testkit.history.HistoryChecker;
import dev.edl.testkit.history.HistoryReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real threads on one group: workers are interrupted anywhere and replaced while cuts are taken. */
class LocalShardsStressTest {
    private static final int PUSHES = 400;
    private static final Duration BOUND = Duration.ofSeconds(60);

    @ParameterizedTest
    @CsvSource({"0, 1", "0, 2", "0, 3", "4, 4", "unbounded, 5"})
    void every_shard_applies_every_push_once_though_workers_are_killed(String staleness, long seed) throws Exception {
        Random random = new Random(seed);
        TestShards group = TestShards.create(1000, 3, Optimizer.sgd(1f), Consistency.parse(staleness), PUSHES, BOUND);
        List<HistoryEvent> events = new ArrayList<>();
        RunRecorder recorder = Histories.of(group, Optimizer.sgd(1f), Consistency.parse(staleness), PUSHES, events);
        group.initialize(new float[1000]);
        Queue<Long> queue = new ConcurrentLinkedQueue<>();
        for (long id = 0; id < PUSHES; id++) {
            queue.add(id);
        }
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        AtomicInteger names = new AtomicInteger();
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            workers.add(hire(group, queue, failures, names));
        }
        for (int kill = 0; kill < 30 && !queue.isEmpty(); kill++) {
            group.cut();
            int victim = random.nextInt(workers.size());
            workers.get(victim).interrupt();
            workers.get(victim).join(BOUND.toMillis());
            workers.set(victim, hire(group, queue, failures, names));
        }
        for (Thread worker : workers) {
            worker.join(BOUND.toMillis());
        }
        // The last killed workers may have returned a push after all other workers had ended.
        Thread last = hire(group, queue, failures, names);
        last.join(BOUND.toMillis());

        assertThat(failures).as("seed %d", seed).isEmpty();
        BitSet all = new BitSet();
        all.set(0, PUSHES);
        for (ShardSnapshot shard : group.cut().shards()) {
            assertThat(shard.applied().epoch(0)).as("seed %d, %s", seed, shard).isEqualTo(all);
        }
        assertThat(group.cut().consistent()).isTrue();
        if (!staleness.equals("0")) {
            float[] weights = group.cut().weights();
            assertThat(weights).containsOnly(-PUSHES);
        }
        Histories.end(group, recorder, PUSHES);
        HistoryReport report = HistoryChecker.check(History.of(events));
        assertThat(report.holds()).as("seed %d: %s", seed, report).isTrue();
        assertThat(report.replayed()).as("seed %d: %s", seed, report).isEqualTo(report.updates());
    }

    @Test
    void sixteen_workers_end_a_thousand_rounds_together() throws Exception {
        int workers = 16;
        int rounds = 1000;
        TestShards group =
                TestShards.create(100, 3, Optimizer.sgd(1f), Consistency.synchronous(), workers * rounds, BOUND);
        group.initialize(new float[100]);
        for (int w = 0; w < workers; w++) {
            group.join("worker-" + w);
        }
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (int w = 0; w < workers; w++) {
            int worker = w;
            Thread thread = new Thread(() -> {
                try {
                    endRounds(group, worker, workers, rounds);
                } catch (InterruptedException | RuntimeException | Error e) {
                    failures.add(e);
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join(BOUND.toMillis());
        }

        assertThat(failures).isEmpty();
        assertThat(group.cut()).hasToString("version " + rounds + " of 3 shards, consistent");
        assertThat(group.cut().weights()).containsOnly(-rounds);
    }

    /** Pushes a gradient of ones to each round, which holds one of every worker. */
    private static void endRounds(TestShards group, int worker, int workers, int rounds) throws InterruptedException {
        String name = "worker-" + worker;
        float[] weights = new float[100];
        float[] gradient = new float[100];
        Arrays.fill(gradient, 1);
        long[] versions = new long[group.count()];
        for (int round = 0; round < rounds; round++) {
            long id = (long) round * workers + worker;
            Workers.of(group).pull(name, weights, List.of(), versions);
            assertThat(versions).containsOnly(round);
            assertThat(Workers.of(group).push(name, id, versions, gradient).outcome())
                    .isIn(PushResult.Outcome.APPLIED, PushResult.Outcome.ACCUMULATED);
            assertThat(Workers.of(group).awaitRound(name, id, BOUND)).isTrue();
        }
    }

    private static Thread hire(TestShards group, Queue<Long> queue, Queue<Throwable> failures, AtomicInteger names) {
        String name = "worker-" + names.getAndIncrement();
        Thread thread = new Thread(() -> work(name, group, queue, failures), name);
        thread.start();
        return thread;
    }

    private static void work(String name, TestShards group, Queue<Long> queue, Queue<Throwable> failures) {
        float[] weights = new float[1000];
        float[] gradient = new float[1000];
        Arrays.fill(gradient, 1);
        long[] versions = new long[group.count()];
        Long id = null;
        try {
            for (id = queue.poll(); id != null; id = queue.poll()) {
                group.join(name);
                boolean redo = true;
                while (redo) {
                    if (Thread.interrupted()) {
                        throw new InterruptedException();
                    }
                    Workers.of(group).pull(name, weights, List.of(), versions);
                    PushResult result = Workers.of(group).push(name, id, versions, gradient);
                    redo = result.outcome() == PushResult.Outcome.STALE
                            || (result.outcome() == PushResult.Outcome.ACCUMULATED
                                    && !Workers.of(group).awaitRound(name, id, BOUND));
                }
            }
        } catch (InterruptedException e) {
            if (id != null) {
                queue.add(id);
            }
        } catch (RuntimeException | Error e) {
            failures.add(e);
        } finally {
            group.leave(name);
        }
    }
}
