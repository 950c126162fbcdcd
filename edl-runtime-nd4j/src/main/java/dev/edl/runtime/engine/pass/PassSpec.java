package dev.edl.runtime.engine.pass;

import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.task.LedgerSpec;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Specification of one pass of a trained model over data; common part of evaluation and prediction. */
public record PassSpec(
        Model model,
        Dataset data,
        PassBuilder.ModelSource from,
        int minibatch,
        int minibatchesPerTask,
        Duration taskTimeout,
        Duration absenceTimeout,
        int maxTaskFailures,
        List<Consumer<TrainingEvent>> listeners) {

    /** Returns the ledger's spec: each record once, as tasks of an evaluation or a prediction. */
    public LedgerSpec ledgerSpec(boolean predicts) {
        LedgerSpec.Builder spec = LedgerSpec.builder()
                .minibatchSize(minibatch)
                .minibatchesPerTask(minibatchesPerTask)
                .leaseTimeout(taskTimeout)
                .maxTaskFailures(maxTaskFailures);
        return (predicts ? spec.prediction(data.shards()) : spec.evaluation(data.shards())).build();
    }

    /** Returns text for people, for example {@code 1,438 records, minibatch 64}. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%,d records, minibatch %d", data.records(), minibatch);
    }
}
