package dev.edl.bench.remote;

import dev.edl.Job;
import dev.edl.bench.harness.ChildJvm;
import dev.edl.bench.harness.Figure;
import dev.edl.bench.harness.Measurement;
import dev.edl.bench.harness.MeasurementSettings;
import dev.edl.bench.harness.RoundRatios;
import dev.edl.bench.runtime.BenchmarkModel;
import dev.edl.bench.runtime.BenchmarkTrainings;
import dev.edl.bench.runtime.CountedModel;
import dev.edl.bench.runtime.RepeatedStepJvm;
import dev.edl.runtime.Training;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.TrainingRun;
import dev.edl.runtime.program.ProcessExecutor;
import dev.edl.runtime.program.ProcessRun;
import dev.edl.runtime.program.ProgramJobs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Speed of a training whose replicas are processes of this machine, against the same training in one JVM and against a
 * JVM that only computes.
 *
 * <ul>
 * <li>{@code remote.training}: records that two workers and two servers train in a second as processes, over those as
 * threads of one JVM.
 * <li>{@code remote.start}: time of a bare JVM over that from submitting the job to the first applied push.
 * <li>{@code remote.join}: time of a bare JVM over that from {@code run.scale("worker", 3)} to the first applied push
 * of the third worker.
 * </ul>
 *
 * <p>The bare JVM loads the backend and computes one minibatch of the same model; its time is from its start to its
 * answer. For {@code remote.join} it runs beside the training, like the third worker, for {@code remote.start} alone.
 *
 * <p>Both trainings train the MLP, batch 64, asynchronously, with plain SGD, on 2,048 records in memory, in tasks of
 * eight minibatches. Records are counted in the steady state, as gradients computed in a window of three seconds. The
 * window begins after 4,000 steps of the workers, when the JIT compiler has little left to do. A worker's first push
 * counts as applied when the worker computes its second gradient, a little later. The model of the workers counts the
 * gradients, across processes by {@link StepCounts}.
 *
 * <p>The goals only detect that a figure has become slower: they are the lower medians of two runs on two idle
 * processors, 0.19, 0.135 and 0.55, less some three tenths for noise. It uses its own stopwatch, because each measured
 * time is that of one event.
 */
public final class ProcessTrainingSpeed implements Measurement {
    static final int BATCH = 64;
    private static final int RECORDS = 2048;
    private static final int SHARD = 512;
    private static final int FOREVER = 1_000_000;
    public static final int WORKERS = 2;
    public static final int PS = 2;

    private final Figure training =
            new Figure("remote.training", 0.13, "records a second of a training over processes over those in a JVM");
    private final Figure start =
            new Figure("remote.start", 0.1, "a bare JVM's time to a minibatch over that from submit to the first push");
    private final Figure join = new Figure(
            "remote.join", 0.4, "a bare JVM's time to a minibatch over that from scale(+1) to its first push");

    @Override
    public List<Figure> figures() {
        return List.of(training, start, join);
    }

    /** Returns the training that the processes run, and also the single JVM. */
    static Training training(CountedModel model) {
        return BenchmarkTrainings.of(model, BenchmarkModel.mlp().data(RECORDS, SHARD), BATCH, FOREVER)
                .build();
    }

    @Override
    public RoundRatios measure(MeasurementSettings settings) throws Exception {
        RoundRatios rounds = new RoundRatios();
        for (int i = 0; i < settings.rounds(); i++) {
            round(i, settings, rounds);
        }
        return rounds.note(
                training, "MLP 784-128-10, batch " + BATCH + ", " + WORKERS + " workers, " + PS + " servers");
    }

    private void round(int round, MeasurementSettings settings, RoundRatios rounds) throws Exception {
        boolean first = round % 2 == 0;
        double inJvm = first ? inJvm(round, settings) : 0;
        double processes = processes(settings, rounds);
        inJvm = first ? inJvm : inJvm(round, settings);
        rounds.add(training, processes / inJvm)
                .side(training, "processes %.0f records/s", processes)
                .side(training, "one JVM %.0f records/s", inJvm);
    }

    private static double inJvm(int round, MeasurementSettings settings) throws Exception {
        CountedModel model = new CountedModel(BenchmarkModel.mlp().model(), () -> {}, 1);
        try (InProcessExecutor executor = InProcessExecutor.of(training(model));
                TrainingRun run = executor.submit(BenchmarkTrainings.job("bench-jvm-" + round, PS, WORKERS))) {
            return rate(run, model::steps, settings);
        }
    }

    /**
     * Runs the training as processes and returns its records per second. Adds the ratios of {@code remote.start} and
     * {@code remote.join} to the rounds.
     */
    public double processes(MeasurementSettings settings, RoundRatios rounds) throws Exception {
        double alone = bareMillis();
        Path file = Files.createTempFile("edl-bench-", ".counts");
        StepCounts counts = StepCounts.of(file);
        Job job = ProgramJobs.here(ReplicaMain.class, file.toString())
                .name("bench-processes")
                .ps(PS)
                .workers(WORKERS)
                .elastic(1, WORKERS + 1)
                .build();
        try (ProcessExecutor executor = ProcessExecutor.create()) {
            long submitted = System.nanoTime();
            try (ProcessRun run = executor.submit(job)) {
                BenchmarkTrainings.await("the first push of " + run, () -> counts.workers(2) > 0);
                double started = millisSince(submitted);
                rounds.add(start, alone / started)
                        .side(start, "bare JVM %.0f ms", alone)
                        .side(start, "job %.0f ms", started);
                BenchmarkTrainings.await("all workers of " + run, () -> counts.workers(2) == WORKERS);
                double rate = rate(run, counts::steps, settings);
                double beside = settings.quick() ? alone : bareMillis();
                long scaled = System.nanoTime();
                run.scale("worker", WORKERS + 1);
                BenchmarkTrainings.await("the third worker of " + run, () -> counts.workers(2) > WORKERS);
                double joined = millisSince(scaled);
                rounds.add(join, beside / joined)
                        .side(join, "bare JVM %.0f ms beside the training", beside)
                        .side(join, "join %.0f ms", joined);
                return rate;
            }
        } finally {
            Files.delete(file);
        }
    }

    /**
     * Waits for the steady state of a training and returns its records per second.
     *
     * @param run the training's run, for messages
     * @param steps returns the number of gradients that all workers have computed
     */
    public static double rate(Object run, LongSupplier steps, MeasurementSettings settings) throws Exception {
        BenchmarkTrainings.await("the steady state of " + run, () -> steps.getAsLong() > settings.either(4000, 20));
        long before = steps.getAsLong();
        long began = System.nanoTime();
        Thread.sleep(settings.either(3000, 50));
        return Math.max(1, steps.getAsLong() - before) * BATCH * 1000 / millisSince(began);
    }

    /** Starts a JVM and returns the milliseconds that it takes to start, load the backend and compute one minibatch. */
    private static double bareMillis() throws IOException, InterruptedException {
        long began = System.nanoTime();
        try (ChildJvm bare = ChildJvm.start("bare", RepeatedStepJvm.class)) {
            bare.ask("open 0 step mlp " + BATCH, BenchmarkTrainings.BOUND);
            bare.ask("run 0", BenchmarkTrainings.BOUND);
            return millisSince(began);
        }
    }

    private static double millisSince(long began) {
        return (System.nanoTime() - began) / 1e6;
    }
}
