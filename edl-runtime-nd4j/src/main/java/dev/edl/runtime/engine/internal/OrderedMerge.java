package dev.edl.runtime.engine.internal;

import dev.edl.runtime.metrics.Metric;
import dev.edl.runtime.task.Task;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Adds up what workers found in the tasks of one evaluation, in the order of the data and not in that of arrival, so
 * that the figures are the same to the last bit whichever worker did a task and whatever was killed. Parts that come early
 * are kept until the ones before them are there.
 */
public final class OrderedMerge {
    private final List<Metric> metrics;
    private final Metric.Partial[] totals;
    private final TreeMap<Integer, Part> early = new TreeMap<>();
    private int merged;

    /** What one task found; the next one begins at minibatch {@code behind}. */
    private static final class Part {
        private final int behind;
        private final double[][] sums;

        private Part(int behind, double[][] sums) {
            this.behind = behind;
            this.sums = sums;
        }
    }

    public OrderedMerge(List<Metric> metrics) {
        this.metrics = metrics;
        this.totals = metrics.stream().map(Metric::start).toArray(Metric.Partial[]::new);
    }

    /** Adds what a worker found in a task; sums in the order of the metrics. */
    public void merge(Task task, double[][] sums) {
        early.put(task.firstMinibatch(), new Part(task.firstMinibatch() + task.minibatches(), sums));
        for (Part next = early.remove(merged); next != null; next = early.remove(merged)) {
            for (int i = 0; i < totals.length; i++) {
                totals[i].merge(next.sums[i]);
            }
            merged = next.behind;
        }
    }

    /** Metric name to value over all tasks. */
    public Map<String, Double> values() {
        if (!early.isEmpty()) {
            throw new IllegalStateException("an evaluation is complete without its minibatches from " + merged + " on");
        }
        Map<String, Double> values = new LinkedHashMap<>();
        for (int i = 0; i < totals.length; i++) {
            values.put(metrics.get(i).name(), totals[i].value());
        }
        return values;
    }
}
