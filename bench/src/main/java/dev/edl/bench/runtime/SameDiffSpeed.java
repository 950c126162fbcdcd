package dev.edl.bench.runtime;

import dev.edl.bench.harness.Figure;
import dev.edl.bench.harness.JmhTime;
import dev.edl.bench.harness.Measurement;
import dev.edl.bench.harness.MeasurementSettings;
import dev.edl.bench.harness.RoundRatios;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Time of a step of the MLP against that of SameDiff, batch 64, on one thread, by JMH; each is measured in a new fork
 * in every round.
 *
 * <ul>
 * <li>{@code mlp.64.samediff}: time of {@link WorkerStepBenchmark#bare} over that of {@link WorkerStepBenchmark#hand}.
 * <li>{@code graph.64.samediff}: time of {@link WorkerStepBenchmark#bare} over that of {@link WorkerStepBenchmark#wrapped}. The graph is
 * the same; EDL adds copies of parameters, features and labels in and of gradients out. The goal, 1/1.05, allows these
 * copies 5 % of the bare graph's time.
 * </ul>
 */
public final class SameDiffSpeed implements Measurement {
    private static final int BATCH = 64;

    private final Figure hand = new Figure("mlp.64.samediff", 3.5, "a step's speed over SameDiff's");
    private final Figure wrapped =
            new Figure("graph.64.samediff", 0.952, "a step of SameDiffModel over the bare graph's, at most 5 % slower");

    @Override
    public List<Figure> figures() {
        return List.of(hand, wrapped);
    }

    @Override
    public RoundRatios measure(MeasurementSettings settings) throws RunnerException {
        Map<String, String> batch = Map.of("batch", "" + BATCH);
        RoundRatios rounds = new RoundRatios();
        for (int i = 0; i < settings.rounds(); i++) {
            double bare = JmhTime.nanos(WorkerStepBenchmark.class, "bare", 1, batch, settings);
            if (settings.wants(hand)) {
                add(rounds, hand, bare, JmhTime.nanos(WorkerStepBenchmark.class, "hand", 1, batch, settings));
            }
            if (settings.wants(wrapped)) {
                add(rounds, wrapped, bare, JmhTime.nanos(WorkerStepBenchmark.class, "wrapped", 1, batch, settings));
            }
        }
        return rounds;
    }

    private static void add(RoundRatios rounds, Figure figure, double bare, double ours) {
        rounds.add(figure, bare / ours)
                .side(figure, "EDL %.0f us", ours / 1e3)
                .side(figure, "SameDiff %.0f us", bare / 1e3);
    }
}
