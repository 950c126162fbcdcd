package dev.edl.runtime.engine.decisions;

import dev.edl.runtime.model.Metric;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Sums of all metrics over some records, in the order of the metrics. Immutable. */
public final class MetricTotals {
    /**
     * Maximum count of numbers in the sums of all metrics. With ten bytes per number, five evaluations leave more than
     * half of a record of decisions for the rest.
     */
    private static final int MOST = 500;

    private final double[][] values;

    private MetricTotals(double[][] values) {
        this.values = values;
    }

    /** Returns a copy of the sums that a worker reports. */
    public static MetricTotals of(double[][] values) {
        return new MetricTotals(Arrays.stream(values).map(double[]::clone).toArray(double[][]::new));
    }

    /** Returns the sums over no records. */
    public static MetricTotals none(List<Metric> metrics) {
        return new MetricTotals(
                metrics.stream().map(metric -> metric.start().sums()).toArray(double[][]::new));
    }

    /**
     * Returns the reasons why metrics cannot be used in a training; empty if they can. Their sums must fit into the
     * record of decisions that every shard stores.
     */
    public static List<String> problems(List<Metric> metrics) {
        int numbers = none(metrics).size();
        return numbers <= MOST
                ? List.of()
                : List.of("the sums of the metrics "
                        + metrics.stream().map(Metric::name).toList() + " are " + numbers
                        + " numbers; at most " + MOST + " fit the record of decisions that every parameter server"
                        + " keeps");
    }

    /** Returns these sums merged with {@code next}, the sums over the records that follow. */
    MetricTotals and(MetricTotals next, List<Metric> metrics) {
        double[][] all = new double[values.length][];
        for (int i = 0; i < all.length; i++) {
            Metric.Partial total = metrics.get(i).start();
            total.merge(values[i]);
            total.merge(next.values[i]);
            all[i] = total.sums();
        }
        return new MetricTotals(all);
    }

    /** Returns the value of each metric, by name. */
    Map<String, Double> figures(List<Metric> metrics) {
        Map<String, Double> figures = new LinkedHashMap<>();
        for (int i = 0; i < values.length; i++) {
            Metric.Partial total = metrics.get(i).start();
            total.merge(values[i]);
            figures.put(metrics.get(i).name(), total.value());
        }
        return figures;
    }

    /** Returns the count of numbers in the sums of all metrics. */
    public int size() {
        return Arrays.stream(values).mapToInt(sums -> sums.length).sum();
    }

    double[][] values() {
        return values;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MetricTotals totals && Arrays.deepEquals(values, totals.values);
    }

    @Override
    public int hashCode() {
        return Arrays.deepHashCode(values);
    }

    /** Returns text for people, for example {@code [[12.0, 16.0]]}. */
    @Override
    public String toString() {
        return Arrays.deepToString(values);
    }
}
