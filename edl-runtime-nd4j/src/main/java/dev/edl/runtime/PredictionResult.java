package dev.edl.runtime;

import dev.edl.runtime.proof.LedgerProof;
import java.time.Duration;
import java.util.Locale;

/**
 * Result of a prediction that succeeded.
 *
 * @param version version of the model that predicted
 * @param records the number of records predicted and written
 * @param outputs number of output floats for each record
 * @param target destination of the outputs as the writer describes it, such as a file's path
 * @param ledgerProof how often each record was predicted, folded from the ledger's events
 * @param took the duration of the run
 */
public record PredictionResult(
        long version, long records, int outputs, String target, LedgerProof ledgerProof, Duration took) {

    /** Returns, for example, {@code 360 records predicted by version 200, 10 outputs each, to out.npy}. */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%,d records predicted by version %d, %,d %s each, to %s",
                records,
                version,
                outputs,
                outputs == 1 ? "output" : "outputs",
                target);
    }
}
