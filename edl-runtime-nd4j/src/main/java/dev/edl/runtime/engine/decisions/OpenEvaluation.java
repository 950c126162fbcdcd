package dev.edl.runtime.engine.decisions;

import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.engine.decisions.CallbackEvent.Evaluated;
import dev.edl.runtime.model.Metric;
import dev.edl.runtime.task.LedgerSpec;
import dev.edl.runtime.task.RecordRange;
import dev.edl.runtime.task.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Open evaluation of one version. Sums are added in data order, not in order of arrival, so that the metrics are
 * identical to the last bit for every assignment of tasks. Early parts wait for the parts before them. Immutable.
 *
 * @param version the evaluated version
 * @param lives number that identifies the lives of all shards when the version was pinned
 * @param merged number of leading minibatches whose sums are in {@code total}
 * @param total metric sums over these minibatches
 * @param early parts that wait for parts before them, by the index of their first minibatch
 */
public record OpenEvaluation(long version, long lives, int merged, MetricTotals total, Map<Integer, Part> early) {
    /**
     * Results of one task.
     *
     * @param behind index of the minibatch after the last one of the task
     */
    public record Part(int behind, MetricTotals sums) {}

    /** Copies the map. */
    public OpenEvaluation {
        early = Map.copyOf(early);
    }

    /** Returns an evaluation without results. */
    static OpenEvaluation begun(long version, long lives, List<Metric> metrics) {
        return new OpenEvaluation(version, lives, 0, MetricTotals.none(metrics), Map.of());
    }

    /** Returns the metrics over all parts. */
    Evaluated result(List<Metric> metrics) {
        if (!early.isEmpty()) {
            throw new IllegalStateException("an evaluation is complete without its minibatches from " + merged + " on");
        }
        return new Evaluated(version, lives, total.figures(metrics));
    }

    /** Returns the count of numbers in the early parts. */
    int earlyNumbers() {
        return early.values().stream().mapToInt(part -> part.sums().size()).sum();
    }

    /** Adds the results of a task; returns this evaluation unchanged if it already has them. */
    OpenEvaluation with(Task task, MetricTotals totals, List<Metric> metrics) {
        if (task.firstMinibatch() < merged) {
            return this;
        }
        Map<Integer, Part> waiting = new TreeMap<>(early);
        waiting.put(task.firstMinibatch(), new Part(task.firstMinibatch() + task.minibatches(), totals));
        int at = merged;
        MetricTotals all = total;
        for (Part next = waiting.remove(at); next != null; next = waiting.remove(at)) {
            all = all.and(next.sums(), metrics);
            at = next.behind();
        }
        return new OpenEvaluation(version, lives, at, all, waiting);
    }

    /** Returns the ranges of the records that were measured; each covers whole tasks. */
    public List<RecordRange> known(LedgerSpec spec) {
        List<RecordRange> known = new ArrayList<>();
        add(known, spec, 0, merged);
        new TreeMap<>(early).forEach((first, part) -> add(known, spec, first, part.behind()));
        return known;
    }

    private static void add(List<RecordRange> known, LedgerSpec spec, int first, int behind) {
        int start = 0;
        for (DataShard shard : spec.evaluationShards()) {
            long size = spec.minibatchSize();
            int minibatches = Math.toIntExact((shard.records() + size - 1) / size);
            long from = Math.max(0, first - start) * size;
            long to = Math.min(shard.records(), Math.max(0, behind - start) * size);
            if (from < to) {
                known.add(new RecordRange(shard.name(), from, to));
            }
            start += minibatches;
        }
    }
}
