package dev.edl.runtime.model;

import java.util.function.DoubleUnaryOperator;

/**
 * Metric of a regression: the mean over records and outputs of a penalty on the difference between output and label.
 */
final class RegressionMetric extends MeanMetric {
    static final Metric SQUARED = new RegressionMetric("mean_squared_error", difference -> difference * difference);
    static final Metric ABSOLUTE = new RegressionMetric("mean_absolute_error", Math::abs);

    private final DoubleUnaryOperator penalty;

    private RegressionMetric(String name, DoubleUnaryOperator penalty) {
        super(name);
        this.penalty = penalty;
    }

    @Override
    double sum(float[] outputs, int outputWidth, Batch batch) {
        int length = batch.size() * outputWidth;
        if (outputWidth < 1 || outputWidth != batch.labelWidth() || outputs.length < length) {
            throw new IllegalArgumentException(this + " needs as many outputs as labels for each record, was "
                    + outputWidth + " outputs and " + batch.labelWidth() + " labels per record and " + outputs.length
                    + " outputs for " + batch);
        }
        double sum = 0;
        for (int i = 0; i < length; i++) {
            if (!Float.isFinite(outputs[i]) || !Float.isFinite(batch.labels()[i])) {
                throw new IllegalArgumentException(this + ": output " + i % outputWidth + " of row " + i / outputWidth
                        + " and its label must be finite, was " + outputs[i] + " and " + batch.labels()[i] + "; "
                        + ClassMetric.origin(batch));
            }
            sum += penalty.applyAsDouble((double) outputs[i] - batch.labels()[i]);
        }
        return sum / outputWidth;
    }
}
