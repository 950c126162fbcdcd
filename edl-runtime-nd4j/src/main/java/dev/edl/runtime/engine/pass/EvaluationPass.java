package dev.edl.runtime.engine.pass;

import dev.edl.runtime.Evaluation;
import dev.edl.runtime.EvaluationResult;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.engine.internal.OrderedResultMerger;
import dev.edl.runtime.model.Metric;
import dev.edl.runtime.proof.LedgerProof;
import dev.edl.runtime.task.Task;
import java.time.Duration;
import java.util.List;

/** Work of an evaluation: sums of metrics. */
public final class EvaluationPass implements PassResultCollector<EvaluationResult> {
    private final List<Metric> metrics;
    private final OrderedResultMerger merge;
    private final long records;

    public EvaluationPass(Evaluation evaluation) {
        this.metrics = evaluation.metrics();
        this.merge = new OrderedResultMerger(metrics);
        this.records = evaluation.pass().data().records();
    }

    @Override
    public void evaluated(Task task, double[][] sums) {
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
        // It has only sums, nothing to close.
    }
}
