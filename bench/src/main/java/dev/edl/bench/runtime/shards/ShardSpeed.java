package dev.edl.bench.runtime.shards;

import dev.edl.bench.harness.Figure;
import dev.edl.bench.harness.JmhTime;
import dev.edl.bench.harness.Measurement;
import dev.edl.bench.harness.MeasurementSettings;
import dev.edl.bench.harness.RoundRatios;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Speed at which a parameter shard updates 10 million floats, by JMH; each benchmark has a new fork in every round.
 *
 * <ul>
 * <li>{@code shard.OPTIMIZER.copy}: bytes touched in a second by {@link ShardUpdateBenchmark#update} on one thread, over those
 * of {@link MemoryCopyBenchmark}. An update touches the bytes that its arithmetic must read and write, once each (12 a float with SGD,
 * 20 with momentum, 28 with Adam), a copy 8. The timed update is the end of a synchronous round, with cold caches; the
 * shard already holds the round's gradient. The check for NaN is part of a push and not included. The printed
 * conditions contain the time of a whole {@link ShardUpdateBenchmark#push}.
 * <li>{@code shard.OPTIMIZER.nd4j}: time of {@link Nd4jUpdateBenchmark} over that of {@link ShardUpdateBenchmark#update}.
 * </ul>
 *
 * <p>{@link dev.edl.bench.runtime.JvmSharingCost} measures {@code shard.OPTIMIZER.two}.
 */
public final class ShardSpeed implements Measurement {
    private static final int FLOATS = 10_000_000;
    private static final int COPIED = 8;

    private final String optimizer;
    private final int touched;
    private final Figure copy;
    private final Figure nd4j;

    private ShardSpeed(String optimizer, int touched, double overCopy, double overNd4j) {
        this.optimizer = optimizer;
        this.touched = touched;
        String name = "shard." + optimizer;
        copy = new Figure(name + ".copy", overCopy, "bytes touched in a second over System.arraycopy's");
        nd4j = new Figure(name + ".nd4j", overNd4j, "speed over that of ND4J's own updater");
    }

    public static ShardSpeed of(String optimizer, int touched, double overCopy, double overNd4j) {
        return new ShardSpeed(optimizer, touched, overCopy, overNd4j);
    }

    @Override
    public List<Figure> figures() {
        return List.of(copy, nd4j);
    }

    @Override
    public RoundRatios measure(MeasurementSettings settings) throws RunnerException {
        String floats = "" + settings.either(FLOATS, 100_000);
        Map<String, String> size = Map.of("floats", floats);
        Map<String, String> ours = Map.of("floats", floats, "optimizer", text(optimizer));
        RoundRatios rounds = new RoundRatios();
        for (int i = 0; i < settings.rounds(); i++) {
            double update = JmhTime.nanos(ShardUpdateBenchmark.class, "update", 1, ours, settings);
            if (settings.wants(copy)) {
                double push = JmhTime.nanos(ShardUpdateBenchmark.class, "push", 1, ours, settings);
                double peer = JmhTime.nanos(MemoryCopyBenchmark.class, "arraycopy", 1, size, settings);
                rounds.add(copy, (touched / update) / (COPIED / peer))
                        .side(copy, "update %.3f ms", update / 1e6)
                        .side(copy, "copy %.3f ms", peer / 1e6)
                        .side(copy, "whole push %.3f ms", push / 1e6);
            }
            if (settings.wants(nd4j)) {
                double peer = JmhTime.nanos(Nd4jUpdateBenchmark.class, optimizer, 1, size, settings);
                rounds.add(nd4j, peer / update)
                        .side(nd4j, "update %.3f ms", update / 1e6)
                        .side(nd4j, "ND4J %.3f ms", peer / 1e6);
            }
        }
        return rounds;
    }

    /** Returns the optimizer with a name in figures, in the form of {@code Optimizer.parse}. */
    public static String text(String name) {
        return switch (name) {
            case "sgd" -> "sgd:learning_rate=0.01";
            case "momentum" -> "sgd:learning_rate=0.01,momentum=0.9";
            default -> "adam:learning_rate=0.001";
        };
    }
}
