package dev.edl.runtime;

import java.util.Arrays;

/** A metric of a classifier: the mean over records of a score of the outputs and the true class. */
final class ClassMetric implements Metric {
    static final Metric ACCURACY = new ClassMetric("accuracy", ClassMetric::isMostProbable);
    static final Metric CROSS_ENTROPY = new ClassMetric("loss", ClassMetric::surprise);

    private final String name;
    private final Score score;

    private ClassMetric(String name, Score score) {
        this.name = name;
        this.score = score;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Partial start() {
        return new Mean();
    }

    /** For example {@code metric "accuracy"}. */
    @Override
    public String toString() {
        return "metric \"" + name + "\"";
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

    private static double surprise(float[] outputs, int from, int classes, int label) {
        return -Math.log(Math.max(outputs[from + label], 1e-7));
    }

    /** What one record contributes; its outputs start at {@code from}. */
    private interface Score {
        double of(float[] outputs, int from, int classes, int label);
    }

    private final class Mean implements Partial {
        private double sum;
        private double records;

        @Override
        public void add(float[] outputs, int outputWidth, Batch batch) {
            if (outputWidth < 2 || outputs.length < batch.size() * outputWidth) {
                throw new IllegalArgumentException(
                        ClassMetric.this + " needs the probabilities of at least 2 classes for" + " each record, was "
                                + outputWidth + " a record and " + outputs.length + " for " + batch);
            }
            if (batch.labelWidth() != 1) {
                throw new IllegalArgumentException(ClassMetric.this + " needs one label a record, the class index, was "
                        + batch.labelWidth() + " for " + batch);
            }
            for (int row = 0; row < batch.size(); row++) {
                int label = batch.classLabel(row, outputWidth);
                int from = row * outputWidth;
                for (int i = from; i < from + outputWidth; i++) {
                    if (Float.isNaN(outputs[i])) {
                        throw new IllegalArgumentException(
                                ClassMetric.this + ": output " + (i - from) + " of row " + row + " is NaN; " + batch);
                    }
                }
                sum += score.of(outputs, from, outputWidth, label);
                records++;
            }
        }

        @Override
        public void merge(double[] sums) {
            if (sums.length != 2 || !(sums[1] >= 0) || !Double.isFinite(sums[0])) {
                throw new IllegalArgumentException(
                        ClassMetric.this + ": a part is [sum, records], was " + Arrays.toString(sums));
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
                throw new IllegalStateException(ClassMetric.this + ": no records were evaluated");
            }
            return sum / records;
        }

        /** For example {@code accuracy over 360 records: 0.9611}; without a figure when there were none. */
        @Override
        public String toString() {
            return name + " over " + (long) records + " records" + (records == 0 ? "" : ": " + sum / records);
        }
    }
}
