package dev.edl.runtime;

import dev.edl.runtime.task.LedgerProof;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What an evaluation that succeeded has come to.
 *
 * @param version of the model that was measured
 * @param metrics metric name to value
 * @param records how many were measured
 * @param ledgerProof how often each record was, folded from the ledger's events
 * @param took from the start of the run to its end
 */
public record EvaluationResult(
        long version, Map<String, Double> metrics, long records, LedgerProof ledgerProof, Duration took) {
    /** Copies the metrics. */
    public EvaluationResult {
        metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
    }

    /** ElasticDL's own line, for example <code>Evaluation metrics[step=200]: {accuracy=0.91, loss=0.31}</code>. */
    @Override
    public String toString() {
        return new TrainingEvent.Evaluation(version, metrics).toString();
    }
}
