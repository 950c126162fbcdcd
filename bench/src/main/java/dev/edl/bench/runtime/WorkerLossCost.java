package dev.edl.bench.runtime;

import dev.edl.bench.harness.Figure;
import dev.edl.bench.harness.Measurement;
import dev.edl.bench.harness.MeasurementSettings;
import dev.edl.bench.harness.RoundRatios;
import dev.edl.runtime.Training;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.TrainingRun;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Cost of a worker's death in an asynchronous training of the MLP, batch 64, by two workers and two parameter servers.
 * A worker is killed in the training's steady state, and the job replaces it. {@code kill.recomputed} is 1 over the
 * number of gradients that are computed again because of one kill; it is also 1 if there are none.
 *
 * <p>The figure is a count, so the load of the machine matters little. {@link CountedModel} counts the steps; the seed
 * of a batch identifies the minibatch. {@link SurvivingWorkerSpeed} measures the effect on the other workers.
 */
public final class WorkerLossCost implements Measurement {
    private static final int BATCH = 64;
    private static final int WORKERS = 2;
    private static final long WINDOW = 500_000_000;

    private final Figure recomputed = new Figure("kill.recomputed", 1, "1 over the minibatches computed again");

    @Override
    public List<Figure> figures() {
        return List.of(recomputed);
    }

    @Override
    public RoundRatios measure(MeasurementSettings settings) throws Exception {
        CountedModel model = new CountedModel(BenchmarkModel.mlp().model());
        Training training = BenchmarkTrainings.of(
                        model, BenchmarkModel.mlp().data(settings.either(8192, 1024), 256), BATCH, 1_000_000)
                .build();
        long window = settings.quick() ? WINDOW / 10 : WINDOW;
        RoundRatios rounds = new RoundRatios();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(BenchmarkTrainings.job("bench-kill", 2, WORKERS))) {
            BenchmarkTrainings.await("the first steps of " + run, () -> model.steps() > settings.either(4000, 40));
            long again = 0;
            for (int i = 0; i < settings.rounds(); i++) {
                BenchmarkTrainings.await(
                        "two workers of " + run, () -> working(model).size() == WORKERS);
                List<CountedModel.CountedSession> pair = working(model);
                CountedModel.CountedSession victim = pair.get(1);
                sleep(2 * window);
                run.kill(victim.worker());
                sleep(2 * window);
                long sofar = computedAgain(model);
                rounds.add(recomputed, 1.0 / Math.max(1, sofar - again))
                        .side(recomputed, "%.0f again", (double) (sofar - again));
                again = sofar;
            }
        }
        return rounds;
    }

    private static void sleep(long nanos) throws InterruptedException {
        Thread.sleep(nanos / 1_000_000);
    }

    static List<CountedModel.CountedSession> working(CountedModel model) {
        return model.sessions().stream()
                .filter(s -> s.worker().contains("worker") && !s.closed() && s.steps() > 0)
                .toList();
    }

    static double steps(CountedModel.CountedSession session, long from, long to) {
        int count = 0;
        for (int i = session.steps() - 1; i >= 0 && session.began(i) >= from; i--) {
            count += session.began(i) < to ? 1 : 0;
        }
        return count;
    }

    private static long computedAgain(CountedModel model) {
        Map<Long, Integer> times = new HashMap<>();
        for (CountedModel.CountedSession session : model.sessions()) {
            if (session.worker().contains("worker")) {
                for (int i = 0; i < session.steps(); i++) {
                    times.merge(session.minibatch(i), 1, Integer::sum);
                }
            }
        }
        return times.values().stream().mapToLong(n -> n - 1L).sum();
    }
}
