package dev.edl.bench;

import dev.edl.runtime.Batch;
import dev.edl.runtime.InProcessExecutor;
import dev.edl.runtime.Model;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingRun;
import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.ps.Consistency;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Steps in a second of a whole training by two workers and two parameter servers in this JVM, over those of two workers
 * that only compute: {@code training.sync.BATCH} and {@code training.async.BATCH}.
 *
 * <p>The training is that of the MLP 784-128-10 on 8,192 records in memory, in tasks of eight minibatches, with plain
 * SGD: handing out tasks, putting minibatches together, pulling, computing, looking for NaN, pushing, applying. Those that
 * only compute do so on the same records, in minibatches that were put together beforehand, one behind the other: a record
 * that is new to the cache is what both sides have to read. The conditions also give what workers reach that repeat one
 * minibatch each, and {@link Handover}. Each side runs for a second and a half in every round, in this one JVM, so that
 * both find the same machine; the second before it, in which memory is touched for the first time, does not count. A
 * stopwatch of our own, because a training is no method that JMH could call.
 */
final class WholeTraining implements Measurement {
    private static final int RECORDS = 8192;
    private static final int SHARD = 2048;
    private static final int WORKERS = 2;
    private static final int PS = 2;
    private static final int FOREVER = 10_000;

    private final Consistency consistency;
    private final int batch;
    private final Figure figure;

    private WholeTraining(String name, Consistency consistency, int batch, double goal) {
        this.consistency = consistency;
        this.batch = batch;
        figure = new Figure("training." + name + "." + batch, goal, "steps of a whole training over compute only");
    }

    static WholeTraining synchronous(int batch, double goal) {
        return new WholeTraining("sync", Consistency.synchronous(), batch, goal);
    }

    static WholeTraining asynchronous(int batch, double goal) {
        return new WholeTraining("async", Consistency.asynchronous(), batch, goal);
    }

    @Override
    public List<Figure> figures() {
        return List.of(figure);
    }

    @Override
    public Rounds measure(Settings settings) throws Exception {
        Dataset data = ModelCase.mlp().data(settings.either(RECORDS, 1024), settings.either(SHARD, 256));
        Rounds rounds = new Rounds();
        // What a task costs is compiled only after some thousand of them.
        int warmUp = settings.either(5, 0);
        for (int i = -warmUp; i < settings.rounds(); i++) {
            double compute = compute(data, settings);
            double one = compute(null, settings);
            double training = training(data, settings, i);
            if (i >= 0) {
                rounds.add(figure, training / compute)
                        .side(figure, "training %.0f steps/s", training)
                        .side(figure, "compute only %.0f steps/s", compute)
                        .side(figure, "on one minibatch %.0f steps/s", one)
                        .side(figure, "parameters pass to the other processor in %.0f us", Handover.micros());
            }
        }
        return rounds.note(figure, "MLP 784-128-10, " + WORKERS + " workers, " + PS + " parameter servers");
    }

    /** Steps in a second of workers that nobody disturbs, each on its part of the records or always on the same ones. */
    private double compute(@Nullable Dataset data, Settings settings) throws Exception {
        CountedModel model = new CountedModel(ModelCase.mlp().model());
        ModelCase counted = new ModelCase("mlp", model, "");
        AtomicBoolean stop = new AtomicBoolean();
        List<Thread> threads = new ArrayList<>();
        for (int w = 0; w < WORKERS; w++) {
            List<Batch> minibatches = data == null ? List.of(counted.batch(batch)) : minibatches(model, data, w);
            threads.add(new Thread(() -> {
                try (Worker worker = new Worker(counted, batch)) {
                    for (int i = 0; !stop.get(); i++) {
                        worker.step(minibatches.get(i % minibatches.size()));
                    }
                }
            }));
        }
        threads.forEach(Thread::start);
        try {
            Trainings.await("the first step", () -> model.sessions().size() == WORKERS && model.steps() > 2 * WORKERS);
            return rate(model, settings);
        } finally {
            stop.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    /** Every second minibatch of the data. */
    private List<Batch> minibatches(Model model, Dataset data, int worker) throws IOException {
        List<Batch> all = new ArrayList<>();
        int number = 0;
        for (DataShard shard : data.shards()) {
            for (long at = 0; at + batch <= shard.records(); at += batch) {
                if (number++ % WORKERS == worker) {
                    Batch minibatch = Batch.of(model, batch);
                    data.read(shard.name(), at, at + batch, minibatch);
                    // To have it lie together, as a minibatch that was read from a file does.
                    minibatch.features();
                    all.add(minibatch);
                }
            }
        }
        return all;
    }

    /** Steps in a second of a training that goes on. */
    private double training(Dataset data, Settings settings, int round) throws Exception {
        CountedModel model = new CountedModel(ModelCase.mlp().model());
        Training training = Trainings.of(model, data, batch, FOREVER)
                .consistency(consistency)
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(Trainings.job("bench-" + (round + 100), PS, WORKERS))) {
            long trial = model.steps();
            Trainings.await("the first steps of " + run, () -> model.steps() > trial + 2 * WORKERS);
            return rate(model, settings);
        }
    }

    private static double rate(CountedModel model, Settings settings) throws InterruptedException {
        Thread.sleep(settings.either(1000, 50));
        long before = model.steps();
        long began = System.nanoTime();
        Thread.sleep(settings.either(1500, 50));
        long after = model.steps();
        return (after - before) / ((System.nanoTime() - began) / 1e9);
    }
}
