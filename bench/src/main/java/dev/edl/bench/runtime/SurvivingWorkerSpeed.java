package dev.edl.bench.runtime;

import dev.edl.bench.harness.Figure;
import dev.edl.bench.harness.Measurement;
import dev.edl.bench.harness.MeasurementSettings;
import dev.edl.bench.harness.RoundRatios;
import dev.edl.runtime.Training;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.TrainingRun;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Effect of a worker's death on the others. {@code kill.others} is the number of their steps in the half second after a
 * kill, over that in the half second before it, both relative to the steps of a pacemaker.
 *
 * <p>The training is asynchronous, by four workers and two parameter servers, with a model of the MLP's size whose
 * gradients take 2 ms and no processor ({@link PacedModel}). Computing workers would show little: the victim and its
 * successor share processors, caches and memory with the others. A death makes the others faster and a start makes them
 * slower, regardless of the engine. The pacemaker is a thread that computes the same gradients without a training. The
 * workers' steps are divided by the pacemaker's, so a slow phase of the machine or a collector's pause affects both and
 * cancels out.
 *
 * <p>A round is one training, whose workers are killed one after the other, five times; its ratio is the median over
 * the kills, and the printed conditions also contain the least. At each kill all four workers are working; the job
 * replaces the victim. An engine that held all others for 10 ms after each kill would have 0.98.
 */
public final class SurvivingWorkerSpeed implements Measurement {
    private static final int BATCH = 64;
    private static final int WORKERS = 4;
    private static final int KILLS = 5;
    private static final int PACE_MILLIS = 2;
    /** Number of steps that are recorded for each worker, more than it makes in a round. */
    private static final int LOG = 1 << 15;

    private final Figure figure =
            new Figure("kill.others", 0.98, "the other workers' steps after a kill over before, by a pacemaker's");

    @Override
    public List<Figure> figures() {
        return List.of(figure);
    }

    @Override
    public RoundRatios measure(MeasurementSettings settings) throws Exception {
        RoundRatios rounds = new RoundRatios();
        for (int i = 0; i < settings.rounds(); i++) {
            round(settings, i, rounds);
        }
        return rounds.note(figure, "kills in a round: " + settings.either(KILLS, 1))
                .note(figure, WORKERS + " workers whose gradients take " + PACE_MILLIS + " ms");
    }

    private void round(MeasurementSettings settings, int round, RoundRatios rounds) throws Exception {
        PacedModel paced = PacedModel.millis(BenchmarkModel.mlp().model(), PACE_MILLIS);
        CountedModel model = new CountedModel(paced, BenchmarkTrainings.ungated(), LOG);
        Training training = BenchmarkTrainings.of(
                        model, BenchmarkModel.mlp().data(settings.either(8192, 1024), 256), BATCH, 1_000_000)
                .build();
        long window = TimeUnit.MILLISECONDS.toNanos(settings.either(500, 50));
        try (Pacemaker pacemaker = new Pacemaker(paced);
                InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run =
                        executor.submit(BenchmarkTrainings.job("bench-others-" + (round + 100), 2, WORKERS))) {
            pacemaker.start();
            BenchmarkTrainings.await("the first steps of " + run, () -> model.steps() > settings.either(2000, 40));
            List<Double> ratios = new ArrayList<>();
            for (int kill = 0; kill < settings.either(KILLS, 1); kill++) {
                BenchmarkTrainings.await(
                        WORKERS + " workers of " + run,
                        () -> WorkerLossCost.working(model).size() == WORKERS);
                List<CountedModel.CountedSession> all = WorkerLossCost.working(model);
                CountedModel.CountedSession victim = all.get(kill % WORKERS);
                // The start of the previous victim's successor must not fall into the time before this kill.
                TimeUnit.NANOSECONDS.sleep(window + window / 4);
                long killed = System.nanoTime();
                run.kill(victim.worker());
                TimeUnit.NANOSECONDS.sleep(window + window / 4);
                Count sum = new Count(0, 0, 0, 0);
                for (CountedModel.CountedSession survivor : all) {
                    if (survivor != victim) {
                        sum = sum.plus(
                                WorkerLossCost.steps(survivor, killed - window, killed),
                                WorkerLossCost.steps(survivor, killed, killed + window));
                    }
                }
                sum = sum.ticks(
                        WorkerLossCost.steps(pacemaker.session, killed - window, killed),
                        WorkerLossCost.steps(pacemaker.session, killed, killed + window));
                ratios.add(sum.ratio());
                rounds.side(figure, "before %.0f steps", sum.before)
                        .side(figure, "after %.0f steps", sum.after)
                        .side(figure, "pacemaker before %.0f", sum.ticksBefore)
                        .side(figure, "after %.0f", sum.ticksAfter);
            }
            rounds.add(figure, RoundRatios.median(ratios))
                    .side(figure, "least of a round's kills %.3f", java.util.Collections.min(ratios));
        }
    }

    /** Numbers of steps before and after a kill: those of the surviving workers, and those (ticks) of the pacemaker. */
    record Count(double before, double after, double ticksBefore, double ticksAfter) {
        Count plus(double newBefore, double newAfter) {
            return new Count(before + newBefore, after + newAfter, ticksBefore, ticksAfter);
        }

        Count ticks(double newBefore, double newAfter) {
            return new Count(before, after, ticksBefore + newBefore, ticksAfter + newAfter);
        }

        /** Returns the workers' steps per tick after the kill, over those before it. */
        double ratio() {
            return after / Math.max(1, ticksAfter) / (Math.max(1, before) / Math.max(1, ticksBefore));
        }
    }

    /** Thread that computes gradients at the workers' pace from its start until it is closed. */
    private static final class Pacemaker implements AutoCloseable {
        private final StandaloneWorker worker;
        private final CountedModel.CountedSession session;
        private final Thread thread = new Thread(this::run, "pacemaker");
        private volatile boolean stopped;

        Pacemaker(PacedModel paced) {
            CountedModel model = new CountedModel(paced, BenchmarkTrainings.ungated(), LOG);
            worker = new StandaloneWorker(new BenchmarkModel("paced", model, ""), 1);
            session = model.sessions().get(0);
            thread.setDaemon(true);
        }

        void start() {
            thread.start();
        }

        private void run() {
            while (!stopped) {
                worker.step();
            }
        }

        @Override
        public void close() throws InterruptedException {
            stopped = true;
            thread.join(BenchmarkTrainings.BOUND.toMillis());
            worker.close();
        }
    }
}
