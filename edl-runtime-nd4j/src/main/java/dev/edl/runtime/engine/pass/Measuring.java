package dev.edl.runtime;

import dev.edl.runtime.task.LedgerProof;
import dev.edl.runtime.task.Task;
import java.time.Duration;
import java.util.List;

/** The work of an evaluation: sums of metrics. */
final class Measuring implements PassWork<Metric.Partial[], EvaluationResult> {
    private final List<Metric> metrics;
    private final OrderedMerge merge;
    private final long records;

    Measuring(Evaluation evaluation) {
        this.metrics = evaluation.metrics();
        this.merge = new OrderedMerge(metrics);
        this.records = evaluation.pass().data().records();
    }

    @Override
    public boolean predicts() {
        return false;
    }

    @Override
    public Metric.Partial[] begin(int count) {
        return metrics.stream().map(Metric::start).toArray(Metric.Partial[]::new);
    }

    @Override
    public void add(Metric.Partial[] part, float[] outputs, int width, Batch batch) {
        for (Metric.Partial partial : part) {
            partial.add(outputs, width, batch);
        }
    }

    @Override
    public void accept(Task task, Metric.Partial[] part) {
        double[][] sums = new double[part.length][];
        for (int i = 0; i < sums.length; i++) {
            sums[i] = part[i].sums();
        }
        merge.merge(task, sums);
    }

    @Override
    public EvaluationResult finish(long version, LedgerProof proof, Duration took) {
        return new EvaluationResult(version, merge.values(), records, proof, took);
    }

    @Override
    public TrainingEvent event(EvaluationResult result) {
        return new TrainingEvent.Evaluation(result.version(), result.metrics());
    }

    @Override
    public void close() {
        // It holds nothing but sums.
    }
}
