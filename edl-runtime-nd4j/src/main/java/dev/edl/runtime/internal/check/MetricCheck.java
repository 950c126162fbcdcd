package dev.edl.runtime.internal.check;

import dev.edl.runtime.Batch;
import dev.edl.runtime.InvalidTrainingException;
import dev.edl.runtime.Model;
import dev.edl.runtime.Training;
import dev.edl.runtime.internal.text.ExceptionText;
import dev.edl.runtime.metrics.Metric;
import java.util.ArrayList;
import java.util.List;

/**
 * Lets the metrics of a training measure one record before anything runs: one that does not suit the model or its labels
 * would be found at the first evaluation, which may be at the end of the training.
 */
final class MetricCheck {
    private MetricCheck() {}

    /**
     * Passes when every metric takes what the model predicts with its initial values.
     *
     * @param sample at least one record of the validation data
     * @throws InvalidTrainingException with one line for each metric that does not
     */
    static void check(Training training, Batch sample) {
        Model model = training.model();
        float[] initial = new float[model.layout().size()];
        model.initialize(initial, training.seed());
        float[] outputs = new float[sample.size() * model.outputs()];
        try (Model.Session session = model.open(sample.size())) {
            session.predict(initial, sample, outputs);
        }
        List<String> problems = new ArrayList<>();
        for (Metric metric : training.metrics()) {
            try {
                metric.start().add(outputs, model.outputs(), sample);
            } catch (RuntimeException unsuited) {
                problems.add(
                        "metrics has \"" + metric.name() + "\", which cannot measure the first record of validation: "
                                + ExceptionText.of(unsuited) + "; name those that suit, for example"
                                + " .metrics(Metric.meanSquaredError()) for numbers");
            }
        }
        if (!problems.isEmpty()) {
            throw new InvalidTrainingException(problems);
        }
    }
}
