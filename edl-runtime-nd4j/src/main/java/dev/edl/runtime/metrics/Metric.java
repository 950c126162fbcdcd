package dev.edl.runtime.metrics;

import dev.edl.runtime.Batch;
import dev.edl.runtime.Model;

/**
 * A figure of a model's quality over many records, computed in parts by several workers and merged.
 *
 * <p>A metric is immutable and shared; a {@link Partial} belongs to one thread at a time. Parts are sums in double
 * precision, so the order of merging changes the value by rounding only, and they travel as an array.
 *
 * <pre>{@code
 * Metric.Partial mine = Metric.accuracy().start();
 * mine.add(outputs, 10, batch);              // as often as there are batches
 * total.merge(mine);                         // total was started elsewhere; mine.sums() travels
 * total.value();                             // 0.9611
 * }</pre>
 */
public interface Metric {
    /** Unique within an evaluation, for example {@code accuracy}. */
    String name();

    /** A part over no records yet. */
    Partial start();

    /**
     * The share of records whose most probable class is their label, {@code accuracy}. Of equal outputs the first
     * counts. One output is the probability of class 1, which is the answer above 0.5.
     */
    static Metric accuracy() {
        return ClassMetric.ACCURACY;
    }

    /**
     * The mean of -ln(probability of the label), {@code loss}. A probability below 1e-7 counts as 1e-7, the rule of
     * Keras, so that one record cannot make the mean infinite. One output is the probability p of class 1, and 1 - p
     * that of class 0; p then counts as at least 1e-7 and at most 1 - 1e-7, as in Keras' binary cross-entropy. Outputs that
     * are no probabilities, such as the scores before a softmax, are refused.
     */
    static Metric crossEntropy() {
        return ClassMetric.CROSS_ENTROPY;
    }

    /**
     * The area under the ROC curve of a classifier of two classes, {@code auc}, with Keras' 200 thresholds. The model
     * has one output, the probability of class 1, or two. NaN when the records are all of one class.
     */
    static Metric auc() {
        return new AucMetric();
    }

    /**
     * The mean over records and outputs of (output - label)^2, {@code mean_squared_error}, for a model with as many
     * outputs as labels.
     */
    static Metric meanSquaredError() {
        return RegressionMetric.SQUARED;
    }

    /**
     * The mean over records and outputs of |output - label|, {@code mean_absolute_error}, for a model with as many
     * outputs as labels.
     */
    static Metric meanAbsoluteError() {
        return RegressionMetric.ABSOLUTE;
    }

    /** The sums of a metric over the records seen so far. */
    interface Partial {
        /**
         * Adds the records of a batch.
         *
         * @param outputs what {@link Model.Session#predict} wrote for the batch: {@code outputWidth} floats a record
         * @param batch gives the labels
         * @throws IllegalArgumentException when the outputs or labels do not suit the metric; the message names metric,
         *     batch and row
         */
        void add(float[] outputs, int outputWidth, Batch batch);

        /**
         * Adds the records of another part of the same metric.
         *
         * @param sums the {@link #sums()} of that part
         * @throws IllegalArgumentException when these cannot be sums of this metric
         */
        void merge(double[] sums);

        /** Adds the records of another part of the same metric; that part stays as it is. */
        default void merge(Partial other) {
            merge(other.sums());
        }

        /** What {@link #merge(double[])} takes: a copy. */
        double[] sums();

        /**
         * The metric over all records added and merged.
         *
         * @throws IllegalStateException when there were none
         */
        double value();
    }
}
