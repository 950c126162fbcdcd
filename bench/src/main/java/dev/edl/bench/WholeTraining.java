package dev.edl.bench;

import dev.edl.runtime.InProcessExecutor;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingRun;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.ps.Consistency;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Steps in a second of a whole training by two workers and two parameter servers in this JVM, over those of two workers
 * that only compute: {@code training.sync.BATCH} and {@code training.async.BATCH}.
 *
 * <p>The training is that of the MLP 784-128-10 on 8,192 records in memory, in tasks of eight minibatches, with plain
 * SGD: handing out tasks, putting minibatches together, pulling, computing, looking for NaN, pushing, applying. Those that
 * only compute repeat one step on one batch each. Each side runs for a second in every round, in this one JVM, so that
 * both find the same machine; a third of a second before it does not count. A stopwatch of our own, because a training
 * is no method that JMH could call.
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
        int warmUp = settings.either(2, 0);
        for (int i = -warmUp; i < settings.rounds(); i++) {
            double compute = compute(settings);
            double training = training(data, settings, i);
            if (i >= 0) {
                rounds.add(figure, training / compute)
                        .side(figure, "training %.0f steps/s", training)
                        .side(figure, "compute only %.0f steps/s", compute);
            }
        }
        return rounds.note(figure, "MLP 784-128-10, " + WORKERS + " workers, " + PS + " parameter servers");
    }

    /** Steps in a second of workers that nobody disturbs. */
    private double compute(Settings settings) throws Exception {
        CountedModel model = new CountedModel(ModelCase.mlp().model());
        ModelCase counted = new ModelCase("mlp", model, "");
        AtomicBoolean stop = new AtomicBoolean();
        List<Thread> threads = new ArrayList<>();
        for (int w = 0; w < WORKERS; w++) {
            threads.add(new Thread(() -> {
                try (Worker worker = new Worker(counted, batch)) {
                    while (!stop.get()) {
                        worker.step();
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
        Thread.sleep(settings.either(330, 50));
        long before = model.steps();
        long began = System.nanoTime();
        Thread.sleep(settings.either(1000, 50));
        long after = model.steps();
        return (after - before) / ((System.nanoTime() - began) / 1e9);
    }
}
