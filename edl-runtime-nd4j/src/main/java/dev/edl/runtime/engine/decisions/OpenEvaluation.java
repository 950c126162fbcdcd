package dev.edl.runtime.engine.decisions;

import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.engine.decisions.CallbackEvent.Evaluated;
import dev.edl.runtime.metrics.Metric;
import dev.edl.runtime.task.LedgerSpec;
import dev.edl.runtime.task.RecordRange;
import dev.edl.runtime.task.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * An evaluation that is under way. Sums are added in the order of the data and not in that of arrival, so that the figures are the
 * same to the last bit whichever worker did which task. Parts that come early wait for those before them. Immutable.
 *
 * @param version what is evaluated
 * @param lives a number that stands for the shards' lives when the version was pinned
 * @param merged minibatches whose sums are in the total
 * @param total of these
 * @param early parts behind them, by their first minibatch
 */
public record OpenEvaluation(long version, long lives, int merged, MetricTotals total, Map<Integer, Part> early) {
    /**
     * What one task found.
     *
     * @param behind the minibatch behind its last one
     */
    public record Part(int behind, MetricTotals sums) {}

    /** Copies the map. */
    public OpenEvaluation {
        early = Map.copyOf(early);
    }

    /** An evaluation of which nothing is known. */
    static OpenEvaluation begun(long version, long lives, List<Metric> metrics) {
        return new OpenEvaluation(version, lives, 0, MetricTotals.none(metrics), Map.of());
    }

    /** Returns the figures of all parts. */
    Evaluated result(List<Metric> metrics) {
        if (!early.isEmpty()) {
            throw new IllegalStateException("an evaluation is complete without its minibatches from " + merged + " on");
        }
        return new Evaluated(version, lives, total.figures(metrics));
    }

    /** Returns how many numbers the early parts have. */
    int earlyNumbers() {
        return early.values().stream().mapToInt(part -> part.sums().size()).sum();
    }

    /** Adds what a task found; a part that is known already adds nothing. */
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

    /** Returns the records that were measured; whole tasks. */
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
