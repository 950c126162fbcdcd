package dev.edl.runtime;

import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.task.Task;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The evaluations of one run: the model of each version that is being evaluated, what the workers have found so far,
 * and the results. It outlives a master, whose successor finds in the ledger's journal which parts were done.
 */
final class Evaluations {
    private final List<Metric> metrics;
    private final Map<Long, ModelSnapshot> models = new HashMap<>();
    private final Map<Long, OrderedMerge> partials = new HashMap<>();
    private final Map<Long, Map<String, Double>> results = new TreeMap<>();
    private final Map<Long, Long> lives = new HashMap<>();

    Evaluations(List<Metric> metrics) {
        this.metrics = metrics;
    }

    /**
     * Begins an evaluation.
     *
     * @param shardLives how many there had been before the model was copied, see {@link TrainingServices#shardLives()}
     */
    synchronized void open(long version, ModelSnapshot model, long shardLives) {
        lives.put(version, shardLives);
        models.put(version, model);
        partials.put(version, new OrderedMerge(metrics));
    }

    synchronized ModelSnapshot model(long version) {
        ModelSnapshot model = models.get(version);
        if (model == null) {
            throw new IllegalStateException("the model of version " + version + " is not kept any more");
        }
        return model;
    }

    /** Whether the evaluation of a version, open or not, is of parameters that these lives of shards brought about. */
    synchronized boolean isOf(long version, long shardLives) {
        Long then = lives.get(version);
        return then != null && then == shardLives;
    }

    /** Adds what a worker found in a task; sums in the order of the metrics. */
    synchronized void merge(Task task, double[][] sums) {
        OrderedMerge all = partials.get(task.modelVersion());
        if (all == null) {
            throw new IllegalStateException("no evaluation of version " + task.modelVersion() + " is open");
        }
        all.merge(task, sums);
    }

    /** Ends an evaluation and gives its result, metric name to value. */
    synchronized Map<String, Double> close(long version) {
        OrderedMerge all = partials.remove(version);
        models.remove(version);
        Map<String, Double> values = all == null ? Map.of() : all.values();
        results.put(version, values);
        return values;
    }

    /** The result of a version; empty when it was not evaluated. */
    synchronized Map<String, Double> result(long version) {
        return results.getOrDefault(version, Map.of());
    }
}
