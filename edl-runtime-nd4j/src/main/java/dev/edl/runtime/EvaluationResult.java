package dev.edl.runtime;

import dev.edl.runtime.proof.LedgerProof;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Result of an evaluation that succeeded.
 *
 * @param version version of the evaluated model
 * @param metrics metric name to value
 * @param records the number of evaluated records
 * @param ledgerProof how often each record was evaluated, folded from the ledger's events
 * @param took the duration of the run
 */
public record EvaluationResult(
        long version, Map<String, Double> metrics, long records, LedgerProof ledgerProof, Duration took) {
    /** Copies the metrics. */
    public EvaluationResult {
        metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
    }

    /**
     * Returns ElasticDL's log line, for example <code>Evaluation metrics[step=200]: {accuracy=0.91, loss=0.31}</code>.
     */
    @Override
    public String toString() {
        return new TrainingEvent.Evaluation(version, metrics).toString();
    }
}
