package dev.edl.runtime.ps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.edl.runtime.history.HistoryEvent;
import dev.edl.runtime.history.RunRecorder;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.ps.group.TestShards;
import dev.edl.runtime.ps.group.Workers;
import dev.edl.testkit.history.History;
import dev.edl.testkit.history.HistoryChecker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class SynchronousTrainingTest {
    private static final int WORKERS = 4;
    private static final int BATCH = 8;
    private static final int ROUNDS = 40;
    private static final int FEATURES = 5;
    private static final long SEED = 7;

    private final float[][] x = new float[WORKERS * BATCH * ROUNDS][FEATURES];
    private final float[] y = new float[x.length];

    /** Least squares on random records; the reference is computed in doubles without shards. */
    @Test
    void synchronous_workers_equal_one_thread_with_combined_batches() throws Exception {
        Random random = new Random(SEED);
        for (int i = 0; i < x.length; i++) {
            for (int j = 0; j < FEATURES; j++) {
                x[i][j] = random.nextFloat() - 0.5f;
                y[i] += (j + 1) * x[i][j];
            }
        }
        TestShards group = TestShards.create(
                FEATURES,
                2,
                Optimizer.sgd(0.1f, 0.9f, true),
                Consistency.synchronous(),
                WORKERS * ROUNDS,
                Duration.ofSeconds(60));
        List<HistoryEvent> events = new ArrayList<>();
        RunRecorder recorder = Histories.of(
                group, Optimizer.sgd(0.1f, 0.9f, true), Consistency.synchronous(), WORKERS * ROUNDS, events);
        group.initialize(new float[FEATURES]);
        ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
        CountDownLatch joined = new CountDownLatch(WORKERS);
        List<Thread> threads = new ArrayList<>();
        for (int w = 0; w < WORKERS; w++) {
            int worker = w;
            Thread thread = new Thread(() -> {
                try {
                    group.join("worker-" + worker);
                    joined.countDown();
                    joined.await();
                    train(group, worker);
                } catch (InterruptedException | RuntimeException | Error e) {
                    failures.add(e);
                } finally {
                    group.leave("worker-" + worker);
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join(60_000);
        }

        assertThat(failures).isEmpty();
        ShardCut cut = group.cut();
        assertThat(cut).hasToString("version " + ROUNDS + " of 2 shards, consistent");
        double[] expected = reference();
        for (int j = 0; j < FEATURES; j++) {
            assertThat((double) cut.weights()[j])
                    .as("seed %d, weight %d", SEED, j)
                    .isCloseTo(expected[j], within(1e-6 * (j + 1)));
        }
        Histories.end(group, recorder, WORKERS * ROUNDS);
        assertThat(HistoryChecker.check(History.of(events)))
                .hasToString(
                        "holds: 160 pushes sent, 320 taken in 80 updates, staleness at most 0, 0 restores, 0 pushes"
                                + " lost, 0 of them redone, 80 updates replayed");
    }

    private void train(TestShards group, int worker) throws InterruptedException {
        float[] weights = new float[FEATURES];
        float[] gradient = new float[FEATURES];
        long[] versions = new long[2];
        for (int round = 0; round < ROUNDS; round++) {
            int minibatch = round * WORKERS + worker;
            Workers.of(group).pull("worker-" + worker, weights, List.of(), versions);
            assertThat(versions).containsOnly(round);
            Arrays.fill(gradient, 0);
            for (int i = minibatch * BATCH; i < (minibatch + 1) * BATCH; i++) {
                float error = -y[i];
                for (int j = 0; j < FEATURES; j++) {
                    error += weights[j] * x[i][j];
                }
                for (int j = 0; j < FEATURES; j++) {
                    gradient[j] += error * x[i][j] / BATCH;
                }
            }
            PushResult result = Workers.of(group).push("worker-" + worker, minibatch, versions, gradient);
            assertThat(result.outcome()).isIn(PushResult.Outcome.APPLIED, PushResult.Outcome.ACCUMULATED);
            assertThat(Workers.of(group).awaitRound("worker-" + worker, minibatch, Duration.ofSeconds(60)))
                    .isTrue();
        }
    }

    private double[] reference() {
        double[] p = new double[FEATURES];
        double[] v = new double[FEATURES];
        int large = WORKERS * BATCH;
        for (int round = 0; round < ROUNDS; round++) {
            double[] g = new double[FEATURES];
            for (int i = round * large; i < (round + 1) * large; i++) {
                double error = -y[i];
                for (int j = 0; j < FEATURES; j++) {
                    error += p[j] * x[i][j];
                }
                for (int j = 0; j < FEATURES; j++) {
                    g[j] += error * x[i][j] / large;
                }
            }
            for (int j = 0; j < FEATURES; j++) {
                v[j] = 0.9 * v[j] + g[j];
                p[j] -= 0.1 * (g[j] + 0.9 * v[j]);
            }
        }
        return p;
    }
}
