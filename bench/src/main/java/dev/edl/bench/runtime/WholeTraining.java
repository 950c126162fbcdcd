package dev.edl.bench.runtime;

import dev.edl.bench.harness.Figure;
import dev.edl.bench.harness.Measurement;
import dev.edl.bench.harness.MeasurementSettings;
import dev.edl.bench.harness.RoundRatios;
import dev.edl.bench.harness.ThreadGate;
import dev.edl.runtime.Training;
import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.TrainingRun;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.optimizers.Consistency;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code training.sync.BATCH} and {@code training.async.BATCH}: steps per second of a whole training, over those of a
 * {@link HandWrittenLoop}. The training has two workers and two parameter servers in this JVM. The loop has two threads with
 * the same model and records. The difference to 1 is the cost of the engine.
 *
 * <p>Both sides train the MLP 784-128-10 on 8,192 records in memory, in tasks of eight minibatches, with plain SGD, on
 * two computing threads. A whole training also hands out tasks, checks for NaN, keeps the ledger of pushes and survives
 * the death of any replica. Its master and servers sleep nearly all the time.
 *
 * <p>The printed conditions contain the rate of two threads that only compute, on prepared minibatches, and the
 * training's rate as a share of it. That share is not a figure, because it depends on the machine: in any training the
 * parameters pass from one processor's cache to the other's at every step. This takes 15 us or 100 us
 * ({@link CacheHandoverCost}), depending on the processors that a virtual machine has, which may change after seconds or hours.
 *
 * <p>In each round all three sides are started anew and held at a {@link ThreadGate}. Then they take turns of half a second,
 * three times, in rotating order; the round's ratio is the median of its turns'. A tenth of a second, in which caches
 * fill, passes before each turn, and five warm-up rounds do not count. It uses its own stopwatch, because JMH cannot
 * call a training as a method.
 */
public final class WholeTraining implements Measurement {
    private static final int RECORDS = 8192;
    private static final int SHARD = 2048;
    private static final int WORKERS = 2;
    private static final int PS = 2;
    private static final int FOREVER = 10_000;
    private static final int TURNS = 3;
    private static final int SIDES = 3;

    private final Consistency consistency;
    private final int batch;
    private final Figure figure;

    private WholeTraining(String name, Consistency consistency, int batch, double goal) {
        this.consistency = consistency;
        this.batch = batch;
        figure = new Figure(
                "training." + name + "." + batch,
                goal,
                "steps of a whole training over those of a loop written by hand");
    }

    public static WholeTraining synchronous(int batch, double goal) {
        return new WholeTraining("sync", Consistency.synchronous(), batch, goal);
    }

    public static WholeTraining asynchronous(int batch, double goal) {
        return new WholeTraining("async", Consistency.asynchronous(), batch, goal);
    }

    @Override
    public List<Figure> figures() {
        return List.of(figure);
    }

    @Override
    public RoundRatios measure(MeasurementSettings settings) throws Exception {
        // Both sides take tasks of eight minibatches.
        int records = settings.either(RECORDS, HandWrittenLoop.TASK * batch);
        Dataset data = BenchmarkModel.mlp().data(records, Math.min(SHARD, records));
        RoundRatios rounds = new RoundRatios();
        // The code of a task is compiled only after some thousand of them.
        int warmUp = settings.either(5, 0);
        for (int i = -warmUp; i < settings.rounds(); i++) {
            round(data, settings, i, i < 0 ? new RoundRatios() : rounds);
        }
        return rounds.note(figure, "MLP 784-128-10, " + WORKERS + " workers, " + PS + " parameter servers")
                .note(figure, "turns in a round: " + settings.either(TURNS, 1));
    }

    private void round(Dataset data, MeasurementSettings settings, int round, RoundRatios rounds) throws Exception {
        ComparisonSide compute = new ComparisonSide(BenchmarkModel.mlp().model());
        ComparisonSide loop = new ComparisonSide(BenchmarkModel.mlp().model());
        ComparisonSide whole = new ComparisonSide(BenchmarkModel.mlp().model());
        Training training = BenchmarkTrainings.of(whole.model(), data, batch, FOREVER)
                .consistency(consistency)
                .build();
        try (Computing computing = new Computing(compute.model(), data);
                HandWrittenLoop hand = new HandWrittenLoop(
                        loop.model(),
                        BenchmarkModel.mlp().parameters(),
                        data,
                        batch,
                        consistency.isSynchronous(),
                        Long.MAX_VALUE);
                InProcessExecutor executor = InProcessExecutor.of(training)) {
            try {
                computing.start();
                compute.warm("the threads that only compute", 2 * WORKERS, settings);
                hand.start();
                loop.warm("the loop written by hand", 2 * WORKERS, settings);
                try (TrainingRun run = executor.submit(BenchmarkTrainings.job("bench-" + (round + 100), PS, WORKERS))) {
                    whole.warm(run.toString(), whole.model().steps() + 2 * WORKERS, settings);
                    turns(List.of(compute, loop, whole), settings, round, rounds);
                    whole.open();
                }
            } finally {
                // A held thread cannot notice that it is to end.
                List.of(compute, loop, whole).forEach(ComparisonSide::open);
            }
        }
    }

    private void turns(List<ComparisonSide> sides, MeasurementSettings settings, int round, RoundRatios rounds)
            throws InterruptedException {
        List<Double> ratios = new ArrayList<>();
        for (int turn = 0; turn < settings.either(TURNS, 1); turn++) {
            double[] rates = new double[SIDES];
            for (int i = 0; i < SIDES; i++) {
                int side = Math.floorMod(round + turn + i, SIDES);
                rates[side] = sides.get(side).rate(settings);
            }
            ratios.add(rates[2] / rates[1]);
            rounds.side(figure, "training %.0f steps/s", rates[2])
                    .side(figure, "by hand %.0f steps/s", rates[1])
                    .side(figure, "compute only %.0f steps/s", rates[0])
                    .side(figure, "training %.3f of compute only", rates[2] / rates[0]);
        }
        rounds.add(figure, RoundRatios.median(ratios))
                .side(figure, "parameters pass to the other processor in %.0f us", CacheHandoverCost.micros());
    }

    /** Two threads that only compute, each on every second minibatch, and share nothing. */
    private final class Computing implements AutoCloseable {
        private final List<Thread> threads = new ArrayList<>();
        private volatile boolean stopped;

        Computing(CountedModel model, Dataset data) throws IOException {
            BenchmarkModel counted = new BenchmarkModel("mlp", model, "");
            for (int w = 0; w < WORKERS; w++) {
                List<Batch> minibatches = minibatches(model, data, w);
                Thread thread = new Thread(
                        () -> {
                            try (StandaloneWorker worker = new StandaloneWorker(counted, batch)) {
                                for (int i = 0; !stopped; i++) {
                                    worker.step(minibatches.get(i % minibatches.size()));
                                }
                            }
                        },
                        "compute-" + w);
                thread.setDaemon(true);
                threads.add(thread);
            }
        }

        void start() {
            threads.forEach(Thread::start);
        }

        private List<Batch> minibatches(Model model, Dataset data, int worker) throws IOException {
            List<Batch> all = new ArrayList<>();
            int number = 0;
            for (DataShard shard : data.shards()) {
                for (long at = 0; at + batch <= shard.records(); at += batch) {
                    if (number++ % WORKERS == worker) {
                        Batch minibatch = Batch.of(model, batch);
                        data.read(shard.name(), at, at + batch, minibatch);
                        // To store it contiguously, like a minibatch read from a file.
                        minibatch.features();
                        all.add(minibatch);
                    }
                }
            }
            return all;
        }

        @Override
        public void close() throws InterruptedException {
            stopped = true;
            for (Thread thread : threads) {
                thread.join(BenchmarkTrainings.BOUND.toMillis());
                if (thread.isAlive()) {
                    throw new IllegalStateException(
                            thread.getName() + " did not end within " + BenchmarkTrainings.BOUND.toSeconds() + " s");
                }
            }
        }
    }
}
