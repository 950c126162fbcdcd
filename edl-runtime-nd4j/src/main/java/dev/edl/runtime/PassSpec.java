package dev.edl.runtime;

import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.model.Model;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Specification of one pass of a trained model over data; common part of evaluation and prediction. */
public record PassSpec(
        Model model,
        Dataset data,
        TrainedModel.Source from,
        int minibatch,
        int minibatchesPerTask,
        Duration taskTimeout,
        Duration absenceTimeout,
        ConnectionSettings connections,
        int maxTaskFailures,
        List<Consumer<TrainingEvent>> listeners) {

    /** Returns text for people, for example {@code 1,438 records, minibatch 64}. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%,d records, minibatch %d", data.records(), minibatch);
    }
}
