package dev.edl.runtime.model;

/**
 * Immutable metric of a model over many records, computed in parts by several workers and merged.
 *
 * <p>A metric is shared; a {@link Partial} belongs to one thread at a time. A part consists of sums in double
 * precision, which workers send as an array. The order of merging changes the value by rounding only.
 *
 * <pre>{@code
 * Metric.Partial mine = Metric.accuracy().start();
 * mine.add(outputs, 10, batch);              // for each batch
 * total.merge(mine);                         // another process merges mine.sums()
 * total.value();                             // 0.9611
 * }</pre>
 */
public interface Metric {
    /** Returns the name, unique within an evaluation, for example {@code accuracy}. */
    String name();

    /** Returns an empty part, to which a worker adds its records. */
    Partial start();

    /**
     * Returns {@code accuracy}, the share of records whose most probable class is their label.
     *
     * <p>Of equal outputs the first counts. A single output is the probability of class 1, which is predicted above
     * 0.5.
     */
    static Metric accuracy() {
        return ClassMetric.ACCURACY;
    }

    /**
     * Returns {@code loss}, the mean of -ln(probability of the label).
     *
     * <p>A probability below 1e-7 counts as 1e-7, as in Keras, so that one record cannot make the mean infinite. A
     * single output is the probability p of class 1, and 1 - p that of class 0. It is clipped to the range from 1e-7 to
     * 1 - 1e-7, as in Keras' binary cross-entropy. Outputs that are not probabilities, such as scores before a softmax,
     * are rejected.
     */
    static Metric crossEntropy() {
        return ClassMetric.CROSS_ENTROPY;
    }

    /**
     * Returns {@code auc}, the area under the ROC curve of a binary classifier, with Keras' 200 thresholds.
     *
     * <p>The model has one output, the probability of class 1, or two. The value is NaN when all records have the same
     * class.
     */
    static Metric auc() {
        return new AucMetric();
    }

    /**
     * Returns {@code mean_squared_error}, the mean of (output - label)^2 over records and outputs.
     *
     * <p>The model must have as many outputs as labels.
     */
    static Metric meanSquaredError() {
        return RegressionMetric.SQUARED;
    }

    /**
     * Returns {@code mean_absolute_error}, the mean of |output - label| over records and outputs.
     *
     * <p>The model must have as many outputs as labels.
     */
    static Metric meanAbsoluteError() {
        return RegressionMetric.ABSOLUTE;
    }

    /** Sums of a metric over the records seen so far. */
    interface Partial {
        /**
         * Adds the records of a batch.
         *
         * @param outputs the output of {@link Model.Session#predict} for the batch: {@code outputWidth} floats a record
         * @param batch the batch with the labels
         * @throws IllegalArgumentException when the outputs or labels are unsuitable for the metric; the message names
         *     metric, batch and row
         */
        void add(float[] outputs, int outputWidth, Batch batch);

        /**
         * Adds the records of another part of the same metric.
         *
         * @param sums the {@link #sums()} of that part
         * @throws IllegalArgumentException when the sums cannot be those of this metric
         */
        void merge(double[] sums);

        /** Adds the records of another part of the same metric to this part; the other part does not change. */
        default void merge(Partial other) {
            merge(other.sums());
        }

        /** Returns a copy of the sums, for {@link #merge(double[])}. */
        double[] sums();

        /**
         * Returns the metric's value over all records that were added or merged.
         *
         * @throws IllegalStateException when there were no records
         */
        double value();
    }
}
