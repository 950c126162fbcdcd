package dev.edl.runtime.model;

/**
 * Metric of a classifier: the mean over records of a score, computed from the record's outputs and its true class.
 *
 * <p>A single output is the probability of class 1 of two classes.
 */
final class ClassMetric extends MeanMetric {
    static final Metric ACCURACY = new ClassMetric("accuracy", ClassMetric::isMostProbable, ClassMetric::isNearer);
    static final Metric CROSS_ENTROPY = new ClassMetric("loss", ClassMetric::surprise, ClassMetric::surpriseOfTwo);

    /** Keras' epsilon: probabilities are clipped to this distance from 0 and 1. */
    private static final double EPSILON = 1e-7;

    private final Score ofMany;
    private final Score ofTwo;

    private ClassMetric(String name, Score ofMany, Score ofTwo) {
        super(name);
        this.ofMany = ofMany;
        this.ofTwo = ofTwo;
    }

    @Override
    double sum(float[] outputs, int outputWidth, Batch batch) {
        if (outputWidth < 1 || outputs.length < batch.size() * outputWidth) {
            throw new IllegalArgumentException(
                    this + " needs the probability of class 1, or those of all classes, for each record, was "
                            + outputWidth + " outputs per record and " + outputs.length + " for " + batch);
        }
        if (batch.labelWidth() != 1) {
            throw new IllegalArgumentException(
                    this + " needs one label per record, the class index, was " + batch.labelWidth() + " for " + batch);
        }
        Score score = outputWidth == 1 ? ofTwo : ofMany;
        double sum = 0;
        for (int row = 0; row < batch.size(); row++) {
            int label = label(this, row, Math.max(2, outputWidth), batch);
            int from = row * outputWidth;
            if (outputWidth == 1) {
                AucMetric.requireProbability(this, outputs[row], 0, row, batch);
            }
            for (int i = from; i < from + outputWidth; i++) {
                if (Float.isNaN(outputs[i])) {
                    throw new IllegalArgumentException(
                            this + ": output " + (i - from) + " of row " + row + " is NaN; " + origin(batch));
                }
            }
            // A score before a softmax would give a number that looks like a loss.
            if (outputWidth > 1 && name().equals(CROSS_ENTROPY.name())) {
                AucMetric.requireProbability(this, outputs[from + label], label, row, batch);
            }
            sum += score.of(outputs, from, outputWidth, label);
        }
        return sum;
    }

    /** Returns the source of the batch's records for a message, and the first value of the batch that is not finite. */
    static String origin(Batch batch) {
        return batch + batch.notFinite().map(bad -> "; " + bad).orElse("");
    }

    /** Returns the class index of a record; the exception for an invalid label names the metric. */
    static int label(Metric metric, int row, int classes, Batch batch) {
        try {
            return batch.classLabel(row, classes);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(metric + ": " + e.getMessage(), e);
        }
    }

    private static double isMostProbable(float[] outputs, int from, int classes, int label) {
        int best = 0;
        for (int c = 1; c < classes; c++) {
            if (outputs[from + c] > outputs[from + best]) {
                best = c;
            }
        }
        return best == label ? 1 : 0;
    }

    private static double isNearer(float[] outputs, int from, int one, int label) {
        return (outputs[from] > 0.5f ? 1 : 0) == label ? 1 : 0;
    }

    private static double surprise(float[] outputs, int from, int classes, int label) {
        return -Math.log(Math.max(outputs[from + label], EPSILON));
    }

    private static double surpriseOfTwo(float[] outputs, int from, int one, int label) {
        double p = Math.min(Math.max(outputs[from], EPSILON), 1 - EPSILON);
        return -Math.log(label == 1 ? p : 1 - p);
    }

    /** Score of one record, whose outputs start at {@code from}. */
    private interface Score {
        double of(float[] outputs, int from, int outputWidth, int label);
    }
}
