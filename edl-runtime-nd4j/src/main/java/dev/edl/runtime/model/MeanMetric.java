package dev.edl.runtime.model;

import java.util.Arrays;

/** Metric that is the mean of a score over records. */
abstract class MeanMetric implements Metric {
    private final String name;

    MeanMetric(String name) {
        this.name = name;
    }

    /**
     * Returns the sum of the scores of a batch's records.
     *
     * @throws IllegalArgumentException when outputs or labels are unsuitable; then no record of the batch counts
     */
    abstract double sum(float[] outputs, int outputWidth, Batch batch);

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Partial start() {
        return new Mean();
    }

    /** Returns, for example, {@code metric "accuracy"}. */
    @Override
    public final String toString() {
        return "metric \"" + name + "\"";
    }

    private final class Mean implements Partial {
        private double sum;
        private double records;

        @Override
        public void add(float[] outputs, int outputWidth, Batch batch) {
            sum += MeanMetric.this.sum(outputs, outputWidth, batch);
            records += batch.size();
        }

        @Override
        public void merge(double[] sums) {
            if (sums.length != 2 || !(sums[1] >= 0) || !Double.isFinite(sums[0])) {
                throw new IllegalArgumentException(
                        MeanMetric.this + ": a part is [sum, records], was " + Arrays.toString(sums));
            }
            sum += sums[0];
            records += sums[1];
        }

        @Override
        public double[] sums() {
            return new double[] {sum, records};
        }

        @Override
        public double value() {
            if (records == 0) {
                throw new IllegalStateException(MeanMetric.this + ": no records were evaluated");
            }
            return sum / records;
        }

        /**
         * Returns, for example, {@code accuracy over 360 records: 0.9611}; without a value when there were no records.
         */
        @Override
        public String toString() {
            return name + " over " + (long) records + " records" + (records == 0 ? "" : ": " + sum / records);
        }
    }
}
