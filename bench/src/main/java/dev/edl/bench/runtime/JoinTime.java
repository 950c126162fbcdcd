package dev.edl.bench.runtime;

import dev.edl.bench.harness.Figure;
import dev.edl.bench.harness.Measurement;
import dev.edl.bench.harness.MeasurementSettings;
import dev.edl.bench.harness.RoundRatios;
import dev.edl.runtime.Training;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.TrainingRun;
import java.util.List;

/**
 * Measures the time from {@code run.scale("worker", 2)} to the new worker's first applied minibatch. {@code join} is
 * 100 ms, the bound, divided by that time.
 *
 * <p>The worker joins an asynchronous training of the MLP, batch 64, by one worker and two parameter servers, in its
 * steady state. The first minibatch counts as applied when the new worker computes its second gradient, a little later.
 * After each round the workers are scaled to one again. It uses one JVM and its own stopwatch, because a join is one
 * event, not a method that JMH could repeat.
 */
public final class JoinTime implements Measurement {
    private static final int BATCH = 64;
    private static final double BOUND_MILLIS = 100;

    private final Figure figure =
            new Figure("join", 1, "100 ms over the time from scale(+1) to the first applied push");

    @Override
    public List<Figure> figures() {
        return List.of(figure);
    }

    @Override
    public RoundRatios measure(MeasurementSettings settings) throws Exception {
        CountedModel model = new CountedModel(BenchmarkModel.mlp().model());
        Training training = BenchmarkTrainings.of(
                        model, BenchmarkModel.mlp().data(settings.either(8192, 1024), 256), BATCH, 1_000_000)
                .build();
        RoundRatios rounds = new RoundRatios();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(BenchmarkTrainings.job("bench-join", 2, 1))) {
            BenchmarkTrainings.await("the first steps of " + run, () -> model.steps() > settings.either(2000, 20));
            for (int i = 0; i < settings.rounds(); i++) {
                int before = model.sessions().size();
                long began = System.nanoTime();
                run.scale("worker", 2);
                BenchmarkTrainings.await(
                        "the second step of the new worker of " + run,
                        () -> model.sessions().size() > before
                                && model.sessions().get(before).steps() >= 2);
                double millis = (model.sessions().get(before).began(1) - began) / 1e6;
                rounds.add(figure, BOUND_MILLIS / millis).side(figure, "%.1f ms", millis);
                run.scale("worker", 1);
                BenchmarkTrainings.await("the end of the second worker of " + run, () -> open(model) == 1);
            }
        }
        return rounds;
    }

    private static long open(CountedModel model) {
        return model.sessions().stream().filter(s -> !s.closed()).count();
    }
}
