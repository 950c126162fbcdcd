package dev.edl.bench.runtime.shards;

import dev.edl.bench.harness.Figure;
import dev.edl.bench.harness.Measurement;
import dev.edl.bench.harness.MeasurementSettings;
import dev.edl.bench.harness.RoundRatios;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.WeightVersions;
import dev.edl.runtime.ps.group.LocalShards;
import dev.edl.runtime.ps.ports.ShardsPort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Time for which a cut stops a worker: {@code cut.stop} is the time of three copies of the largest shard, the bound,
 * over the stop.
 *
 * <p>The parameters are 25 million floats, trained by Adam on two shards; the copy of a shard has its weights and both
 * moments, 150 MB. One worker repeats a push that both shards have already applied, which costs little beside the check
 * for NaN. The stop is its longest push around a cut, less the median of its pushes without one. A copy is made by
 * {@code System.arraycopy} of as many floats as a shard's copy has, between arrays that were written before. Each round
 * takes five cuts and the median of their stops. It uses its own stopwatch, because a stop is one event.
 */
public final class CutPauseTime implements Measurement {
    private static final int SHARDS = 2;
    private static final int COPIES = 3;

    /** Number of arrays in a shard's copy: weights and two moments. */
    private static final int VECTORS = 3;

    private static final int CUTS = 5;
    private static final Duration BOUND = Duration.ofSeconds(60);

    private final Figure figure =
            new Figure("cut.stop", 1, "three copies of the largest shard over the longest stop of a worker by a cut");

    @Override
    public List<Figure> figures() {
        return List.of(figure);
    }

    @Override
    public RoundRatios measure(MeasurementSettings settings) throws Exception {
        int floats = settings.either(25_000_000, 1_000_000);
        LocalShards group = ShardGroups.of(
                ShardContents.floats(floats),
                SHARDS,
                Optimizer.parse("adam:learning_rate=0.001"),
                ShardUpdateBenchmark.uniform(floats, 1));
        RoundRatios rounds = new RoundRatios().note(figure, String.format("%,d floats on %d shards", floats, SHARDS));
        try (Pusher pusher = new Pusher(group, ShardUpdateBenchmark.uniform(floats, 0.01f))) {
            pusher.longest(10);
            group.cut();
            for (int i = 0; i < settings.rounds(); i++) {
                double usual = pusher.usual();
                List<Double> stops = new ArrayList<>();
                for (int k = 0; k < CUTS; k++) {
                    long began = pusher.pushes();
                    pusher.reset();
                    group.cut();
                    stops.add(Math.max(0.01, pusher.longest(pusher.pushes() - began + 2) - usual));
                }
                double stop = RoundRatios.median(stops);
                double copies = COPIES * copy(floats / SHARDS);
                rounds.add(figure, copies / stop)
                        .side(figure, "stop %.1f ms", stop)
                        .side(figure, "three copies %.1f ms", copies)
                        .side(figure, "a push without a cut %.1f ms", usual);
            }
        }
        return rounds;
    }

    /**
     * Returns the time of one copy of a shard's weights and moments, in ms, the median of five.
     *
     * @param floats number of the shard's weights
     */
    private static double copy(int floats) {
        float[] from = ShardUpdateBenchmark.uniform(floats, 1);
        float[][] to = new float[VECTORS][];
        for (int v = 0; v < VECTORS; v++) {
            to[v] = from.clone();
        }
        List<Double> times = new ArrayList<>();
        for (int i = 0; i < CUTS; i++) {
            long began = System.nanoTime();
            for (float[] vector : to) {
                System.arraycopy(from, 0, vector, 0, floats);
            }
            times.add((System.nanoTime() - began) / 1e6);
        }
        return RoundRatios.median(times);
    }

    /** Worker that repeats one push and records the time of each, in ms. */
    private static final class Pusher implements AutoCloseable {
        private final Thread thread;
        private final AtomicBoolean ended = new AtomicBoolean();
        private final AtomicReference<Exception> failure = new AtomicReference<>();
        private final List<Double> millis = new ArrayList<>();
        private long pushes;

        Pusher(LocalShards group, float[] gradient) {
            ShardsPort port = group.worker("worker-0");
            thread = new Thread(() -> repeat(port, gradient), "worker-0");
            thread.setDaemon(true);
            thread.start();
        }

        private void repeat(ShardsPort port, float[] gradient) {
            WeightVersions base = new WeightVersions(port.count());
            try {
                port.pull(new float[gradient.length], List.of(), base);
                while (!ended.get()) {
                    long began = System.nanoTime();
                    port.push(0, base, gradient, List.of());
                    add((System.nanoTime() - began) / 1e6);
                }
            } catch (InterruptedException | RuntimeException e) {
                failure.set(e);
            }
        }

        private synchronized void add(double time) {
            millis.add(time);
            pushes++;
            notifyAll();
        }

        synchronized void reset() {
            millis.clear();
        }

        synchronized long pushes() {
            return pushes;
        }

        /** Forgets all recorded times, waits for at least 20 pushes and returns their median time, in ms. */
        synchronized double usual() throws InterruptedException {
            reset();
            await(20);
            return RoundRatios.median(millis);
        }

        /**
         * Waits until at least {@code count} pushes were recorded since the last reset; returns the longest time of all
         * these, in ms.
         */
        synchronized double longest(long count) throws InterruptedException {
            await(count);
            return millis.stream().mapToDouble(d -> d).max().orElseThrow();
        }

        private synchronized void await(long count) throws InterruptedException {
            long end = System.nanoTime() + BOUND.toNanos();
            while (millis.size() < count) {
                Exception why = failure.get();
                if (why != null || System.nanoTime() > end) {
                    throw new IllegalStateException("the worker did not push " + count + " times within " + BOUND, why);
                }
                wait(TimeUnit.SECONDS.toMillis(1));
            }
        }

        @Override
        public void close() throws InterruptedException {
            ended.set(true);
            thread.join(BOUND.toMillis());
        }
    }
}
