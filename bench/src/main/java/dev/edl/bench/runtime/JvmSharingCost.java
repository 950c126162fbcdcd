package dev.edl.bench.runtime;

import dev.edl.bench.harness.ChildJvm;
import dev.edl.bench.harness.Figure;
import dev.edl.bench.harness.Measurement;
import dev.edl.bench.harness.MeasurementSettings;
import dev.edl.bench.harness.RoundRatios;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Cost of two threads in one JVM: their steps in a second, over those of two JVMs with one thread each, which share
 * only the machine.
 *
 * <ul>
 * <li>{@code shard.OPTIMIZER.two}: steps are pushes to two shards of one group, each with half of 10 million floats.
 * <li>{@code MODEL.BATCH.two}: steps are those of two workers that only compute, each with its own session.
 * </ul>
 *
 * <p>The gain of a second processor is not a property of EDL: processors share memory, caches, power and often a core. The
 * printed conditions contain that gain, as the rate of two JVMs over that of one.
 *
 * <p>Each round has three fresh JVMs: {@code both}, {@code first} and {@code second}. After both sides are warm, they
 * take turns of a second, three times, in alternating order; the round's ratio is the median of its turns'. Outside of
 * its turn a JVM waits for a command. It uses its own stopwatch, because JMH runs one JVM at a time.
 */
public final class JvmSharingCost implements Measurement {
    /**
     * Goal for the workers' steps. Two sessions share nothing in a step, so the ideal is 1. Turns of plain loops
     * without EDL differ by 7 % on an otherwise idle machine, and the median of a few rounds may be off by as much.
     */
    private static final double STEPS = 0.92;

    /**
     * Goal for the pushes to shards. The two shards have separate ranges of one array, and share nothing else. With the parallel
     * garbage collector the ratio is 0.97 to 1.02. The default collector places the arrays in a way that costs 2 to 12
     * %.
     */
    private static final double SHARDS = 0.85;

    /**
     * Longest wait for a JVM to open its sessions or shards: a session loads the backend, which the first start on a
     * machine unpacks.
     */
    private static final Duration OPENING = Duration.ofMinutes(2);

    private static final Duration RUNNING = Duration.ofSeconds(90);
    private static final int TURNS = 3;

    private final Figure figure;
    private final String kind;
    private final String what;

    private JvmSharingCost(Figure figure, String kind, String what) {
        this.figure = figure;
        this.kind = kind;
        this.what = what;
    }

    /**
     * Returns the measurement of pushes to two shards.
     *
     * @param name name of the optimizer in the figure
     * @param optimizer optimizer in the form of {@code Optimizer.parse}
     */
    public static JvmSharingCost shards(String name, String optimizer) {
        return new JvmSharingCost(
                new Figure(
                        "shard." + name + ".two",
                        SHARDS,
                        "two shards on two threads of one JVM over one each in two JVMs"),
                "shard " + optimizer,
                "pushes");
    }

    /** Returns the measurement of the steps of two workers. */
    public static JvmSharingCost workers(BenchmarkModel model, int batch) {
        return new JvmSharingCost(
                new Figure(
                        model.name() + "." + batch + ".two",
                        STEPS,
                        "steps of two workers in one JVM over one each in two JVMs, compute only"),
                "step " + model.name() + " " + batch,
                "steps");
    }

    @Override
    public List<Figure> figures() {
        return List.of(figure);
    }

    @Override
    public RoundRatios measure(MeasurementSettings settings) throws IOException, InterruptedException {
        String work = kind.startsWith("shard ") ? kind + " " + settings.either(10_000_000, 100_000) : kind;
        int warmUp = settings.either(2000, 50);
        int run = settings.either(1000, 50);
        RoundRatios rounds = new RoundRatios();
        for (int i = 0; i < settings.rounds(); i++) {
            try (ChildJvm both = open("both", "0,1", work);
                    ChildJvm first = open("first", "0", work);
                    ChildJvm second = open("second", "1", work)) {
                rate(warmUp, both);
                rate(warmUp, first, second);
                List<Double> ratios = new ArrayList<>();
                for (int turn = 0; turn < settings.either(TURNS, 1); turn++) {
                    boolean sharedFirst = (i + turn) % 2 == 0;
                    double shared = sharedFirst ? rate(run, both) : 0;
                    double apart = rate(run, first, second);
                    shared = sharedFirst ? shared : rate(run, both);
                    double alone = rate(run, first);
                    ratios.add(shared / apart);
                    rounds.side(figure, "one JVM %.1f " + what + "/s", shared)
                            .side(figure, "two JVMs %.1f " + what + "/s", apart)
                            .side(figure, "two JVMs do %.2f times what one does alone", apart / alone);
                }
                rounds.add(figure, RoundRatios.median(ratios));
            }
        }
        return rounds.note(figure, "turns in a round: " + settings.either(TURNS, 1));
    }

    private static ChildJvm open(String name, String lanes, String work) throws IOException, InterruptedException {
        ChildJvm jvm = ChildJvm.start(name, RepeatedStepJvm.class);
        try {
            jvm.ask("open " + lanes + " " + work, OPENING);
            return jvm;
        } catch (IOException | InterruptedException | RuntimeException failure) {
            jvm.close();
            throw failure;
        }
    }

    /** Runs the work of all JVMs at the same time, and returns the sum of their steps per second. */
    private static double rate(int millis, ChildJvm... jvms) throws IOException, InterruptedException {
        for (ChildJvm jvm : jvms) {
            jvm.tell("run " + millis);
        }
        double sum = 0;
        for (ChildJvm jvm : jvms) {
            sum += Double.parseDouble(jvm.answer(RUNNING));
        }
        return sum;
    }
}
