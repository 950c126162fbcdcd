package dev.edl.runtime.engine.internal;

import dev.edl.runtime.model.Metric;
import dev.edl.runtime.task.Task;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Merges the task results of one evaluation in data order, not in order of arrival. So the metrics are identical to
 * the last bit for every assignment of tasks and after every fault. Early parts are held until the parts before them
 * arrive.
 */
public final class OrderedResultMerger {
    private final List<Metric> metrics;
    private final Metric.Partial[] totals;
    private final TreeMap<Integer, Part> early = new TreeMap<>();
    private int merged;

    /** Result of one task; the next task in data order begins at minibatch {@code behind}. */
    private static final class Part {
        private final int behind;
        private final double[][] sums;

        private Part(int behind, double[][] sums) {
            this.behind = behind;
            this.sums = sums;
        }
    }

    public OrderedResultMerger(List<Metric> metrics) {
        this.metrics = metrics;
        this.totals = metrics.stream().map(Metric::start).toArray(Metric.Partial[]::new);
    }

    /** Adds the sums of a task, in the order of the metrics. */
    public void merge(Task task, double[][] sums) {
        early.put(task.firstMinibatch(), new Part(task.firstMinibatch() + task.minibatches(), sums));
        for (Part next = early.remove(merged); next != null; next = early.remove(merged)) {
            for (int i = 0; i < totals.length; i++) {
                totals[i].merge(next.sums[i]);
            }
            merged = next.behind;
        }
    }

    /** Returns the value of each metric over all tasks, by name. */
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
