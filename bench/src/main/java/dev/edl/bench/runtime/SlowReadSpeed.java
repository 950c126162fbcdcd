package dev.edl.bench.runtime;

import dev.edl.bench.harness.Figure;
import dev.edl.bench.harness.Measurement;
import dev.edl.bench.harness.MeasurementSettings;
import dev.edl.bench.harness.RoundRatios;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.TrainingRun;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Measures a training whose records take as long to read as their gradients to compute. {@code training.read} is its
 * steps per second, divided by those of the same training on records in memory. A worker that did not read ahead would
 * reach one half; 1 means that reads cost nothing.
 *
 * <p>Both trainings use the MLP 784-128-10, 8,192 records, tasks of eight minibatches of 64, two workers and two
 * parameter servers. A gradient takes 2 ms and no processor ({@link PacedModel}), and so does reading the records of a
 * minibatch ({@link PacedDataset}). So the ratio shows to what extent reads overlap with gradients, and not how two
 * processors are shared.
 *
 * <p>In each round both trainings are started anew, warmed up and held. Then they take turns of half a second, three
 * times, in alternating order; the round's ratio is the median of its turns'. A tenth of a second passes before each
 * turn, and one warm-up round does not count. It uses its own stopwatch, because JMH cannot call a training as a
 * method.
 */
public final class SlowReadSpeed implements Measurement {
    private static final int BATCH = 64;
    private static final int RECORDS = 8192;
    private static final int SHARD = 2048;
    private static final int WORKERS = 2;
    private static final int PS = 2;
    private static final int FOREVER = 10_000;
    private static final int TURNS = 3;
    private static final long MILLIS = 2;

    // The goal allows 5 % for the first reads, which nothing overlaps, and for the wake-ups of readers.
    private final Figure figure = new Figure(
            "training.read", 0.95, "steps of a training that reads as long as it computes, over those from memory");

    @Override
    public List<Figure> figures() {
        return List.of(figure);
    }

    @Override
    public RoundRatios measure(MeasurementSettings settings) throws Exception {
        Dataset memory = BenchmarkModel.mlp().data(RECORDS, SHARD);
        Dataset slow = new PacedDataset(memory, TimeUnit.MILLISECONDS.toNanos(MILLIS) / BATCH);
        RoundRatios rounds = new RoundRatios();
        for (int i = -settings.either(1, 0); i < settings.rounds(); i++) {
            round(memory, slow, settings, i, i < 0 ? new RoundRatios() : rounds);
        }
        return rounds.note(
                        figure,
                        "MLP 784-128-10, " + WORKERS + " workers, " + PS + " parameter servers, " + MILLIS
                                + " ms a gradient and as much a minibatch's read")
                .note(figure, "turns in a round: " + settings.either(TURNS, 1));
    }

    private void round(Dataset memory, Dataset slow, MeasurementSettings settings, int round, RoundRatios rounds)
            throws Exception {
        ComparisonSide[] sides = {side(), side()};
        try (InProcessExecutor first = executor(sides[0], memory);
                InProcessExecutor second = executor(sides[1], slow)) {
            try (TrainingRun fromMemory =
                    first.submit(BenchmarkTrainings.job("bench-" + (round + 100) + "-memory", PS, WORKERS))) {
                sides[0].warm(fromMemory.toString(), sides[0].model().steps() + 2 * WORKERS, settings);
                try (TrainingRun read =
                        second.submit(BenchmarkTrainings.job("bench-" + (round + 100) + "-slow", PS, WORKERS))) {
                    sides[1].warm(read.toString(), sides[1].model().steps() + 2 * WORKERS, settings);
                    turns(sides, settings, round, rounds);
                    sides[1].open();
                }
                sides[0].open();
            }
        } finally {
            List.of(sides).forEach(ComparisonSide::open);
        }
    }

    private static ComparisonSide side() {
        return new ComparisonSide(PacedModel.millis(BenchmarkModel.mlp().model(), MILLIS));
    }

    private static InProcessExecutor executor(ComparisonSide side, Dataset data) {
        return InProcessExecutor.of(
                BenchmarkTrainings.of(side.model(), data, BATCH, FOREVER).build());
    }

    private void turns(ComparisonSide[] sides, MeasurementSettings settings, int round, RoundRatios rounds)
            throws InterruptedException {
        List<Double> ratios = new ArrayList<>();
        for (int turn = 0; turn < settings.either(TURNS, 1); turn++) {
            double[] rates = new double[sides.length];
            for (int i = 0; i < sides.length; i++) {
                int side = Math.floorMod(round + turn + i, sides.length);
                rates[side] = sides[side].rate(settings);
            }
            ratios.add(rates[1] / rates[0]);
            rounds.side(figure, "slow reads %.0f steps/s", rates[1]).side(figure, "from memory %.0f steps/s", rates[0]);
        }
        rounds.add(figure, RoundRatios.median(ratios));
    }
}
