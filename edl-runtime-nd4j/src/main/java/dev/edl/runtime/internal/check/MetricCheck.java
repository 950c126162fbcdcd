package dev.edl.runtime.internal.check;

import dev.edl.runtime.InvalidTrainingException;
import dev.edl.runtime.Training;
import dev.edl.runtime.internal.text.ExceptionText;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Metric;
import dev.edl.runtime.model.Model;
import java.util.ArrayList;
import java.util.List;

/**
 * Computes the metrics of a training on one record before anything runs.
 *
 * <p>Otherwise an unsuitable metric would be found at the first evaluation, which may be at the end of the training.
 */
final class MetricCheck {
    private MetricCheck() {}

    /**
     * Checks that every metric accepts the model's predictions with initial values.
     *
     * @param sample at least one record of the validation data
     * @throws InvalidTrainingException with one line for each metric that rejects the predictions
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
                                + ExceptionText.of(unsuited) + "; set suitable metrics, for example"
                                + " .metrics(Metric.meanSquaredError()) for numbers");
            }
        }
        if (!problems.isEmpty()) {
            throw new InvalidTrainingException(problems);
        }
    }
}
