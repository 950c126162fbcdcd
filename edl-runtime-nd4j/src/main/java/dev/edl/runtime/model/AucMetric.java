package dev.edl.runtime.model;

import java.util.Arrays;
import java.util.Locale;

/**
 * Area under the ROC curve by Keras' rule: true and false positive rates at 200 thresholds, joined by straight lines.
 *
 * <p>Each record is counted between two thresholds. So workers' partial results are counts and merge exactly.
 */
final class AucMetric implements Metric {
    private static final int THRESHOLDS = 200;

    /** Maximum rounding error of a probability: a float softmax may exceed 0 or 1 by that. */
    private static final float ROUNDING = 1e-4f;

    @Override
    public String name() {
        return "auc";
    }

    @Override
    public Partial start() {
        return new Counts();
    }

    /** Returns, for example, {@code metric "auc"}. */
    @Override
    public String toString() {
        return "metric \"auc\"";
    }

    /** Rejects a value that is not a probability, apart from rounding. */
    static void requireProbability(Metric metric, float probability, int output, int row, Batch batch) {
        if (!(probability >= -ROUNDING && probability <= 1 + ROUNDING)) {
            throw new IllegalArgumentException(metric + ": output " + output + " of row " + row
                    + " must be a probability from 0 to 1, was " + probability + "; " + ClassMetric.origin(batch));
        }
    }

    /**
     * Number of negative records for each threshold that is the last below their probability, then the same for
     * positive records.
     */
    private final class Counts implements Partial {
        private final double[] counts = new double[2 * THRESHOLDS];

        @Override
        public void add(float[] outputs, int outputWidth, Batch batch) {
            if (outputWidth < 1
                    || outputWidth > 2
                    || outputs.length < batch.size() * outputWidth
                    || batch.labelWidth() != 1) {
                throw new IllegalArgumentException(AucMetric.this
                        + " needs the probability of class 1, or those of 2 classes, and one label for each record,"
                        + " was "
                        + outputWidth + " outputs and " + batch.labelWidth() + " labels per record for " + batch);
            }
            for (int row = 0; row < batch.size(); row++) {
                ClassMetric.label(AucMetric.this, row, 2, batch);
                requireProbability(AucMetric.this, outputs[(row + 1) * outputWidth - 1], outputWidth - 1, row, batch);
            }
            for (int row = 0; row < batch.size(); row++) {
                counts[batch.classLabel(row, 2) * THRESHOLDS + place(outputs[(row + 1) * outputWidth - 1])]++;
            }
        }

        /** Returns the index of the last of the thresholds -0, 1/199, 2/199, …, 1+ that is below a probability. */
        private static int place(float probability) {
            return Math.max(0, (int) Math.ceil((double) probability * (THRESHOLDS - 1)) - 1);
        }

        @Override
        public void merge(double[] sums) {
            if (sums.length != counts.length || Arrays.stream(sums).anyMatch(n -> !(n >= 0) || Double.isInfinite(n))) {
                throw new IllegalArgumentException(AucMetric.this + ": a part has " + counts.length
                        + " counts, each at least 0, was " + Arrays.toString(sums));
            }
            for (int i = 0; i < counts.length; i++) {
                counts[i] += sums[i];
            }
        }

        @Override
        public double[] sums() {
            return counts.clone();
        }

        @Override
        public double value() {
            double negatives = Arrays.stream(counts, 0, THRESHOLDS).sum();
            double positives = Arrays.stream(counts, THRESHOLDS, 2 * THRESHOLDS).sum();
            if (negatives + positives == 0) {
                throw new IllegalStateException(AucMetric.this + ": no records were evaluated");
            }
            if (negatives == 0 || positives == 0) {
                return Double.NaN;
            }
            double area = 0;
            double falsePositives = 0;
            double truePositives = 0;
            for (int i = THRESHOLDS - 1; i >= 0; i--) {
                double moreFalse = falsePositives + counts[i];
                double moreTrue = truePositives + counts[THRESHOLDS + i];
                area += (moreFalse - falsePositives) * (moreTrue + truePositives) / 2;
                falsePositives = moreFalse;
                truePositives = moreTrue;
            }
            return area / negatives / positives;
        }

        /** Returns, for example, {@code auc over 360 records: 0.9611}. */
        @Override
        public String toString() {
            double records = Arrays.stream(counts).sum();
            return String.format(Locale.ROOT, "auc over %.0f records", records) + (records == 0 ? "" : ": " + value());
        }
    }
}
