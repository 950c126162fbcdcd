package dev.edl.runtime;

import dev.edl.runtime.task.LedgerProof;
import java.time.Duration;
import java.util.Locale;

/**
 * What a prediction that succeeded has come to.
 *
 * @param version of the model that was asked
 * @param records how many were predicted and written
 * @param outputs floats of each
 * @param target where they were written
 * @param ledgerProof how often each record was, folded from the ledger's events
 * @param took from the start of the run to its end
 */
public record PredictionResult(
        long version, long records, int outputs, String target, LedgerProof ledgerProof, Duration took) {

    /** For example {@code 360 records predicted by version 200, 10 outputs each, to out.npy}. */
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
