package dev.edl.examples.clicks;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * ROC curve of scores, and the area below the curve. The area is the share of pairs of a click and a record without one
 * in which the click has the higher score; equal scores count half.
 */
final class Auc {
    private static final int POINTS = 200;

    private final double[] falsePositives;
    private final double[] truePositives;
    private final double area;

    /**
     * Ranks records by their scores.
     *
     * @param labels label of each record: 1 for a click, otherwise 0; both must occur
     * @param scores score of each of these records, not NaN
     */
    Auc(float[] labels, float[] scores) {
        requireNumbers("score", scores);
        Integer[] order = IntStream.range(0, scores.length).boxed().toArray(Integer[]::new);
        Arrays.sort(order, Comparator.comparingDouble(i -> -scores[i]));
        long positives =
                IntStream.range(0, labels.length).filter(i -> labels[i] > 0).count();
        long negatives = labels.length - positives;
        double[] x = new double[POINTS + 1];
        double[] y = new double[POINTS + 1];
        long clicks = 0;
        long others = 0;
        double sum = 0;
        int point = 0;
        for (int i = 0; i < order.length; ) {
            long clicksBefore = clicks;
            long othersBefore = others;
            float score = scores[order[i]];
            for (; i < order.length && scores[order[i]] == score; i++) {
                if (labels[order[i]] > 0) {
                    clicks++;
                } else {
                    others++;
                }
            }
            sum += (others - othersBefore) * (clicks + clicksBefore) / 2.0;
            for (; point <= POINTS && (long) point * order.length <= (long) i * POINTS; point++) {
                x[point] = (double) (point == 0 ? 0 : others) / negatives;
                y[point] = (double) (point == 0 ? 0 : clicks) / positives;
            }
        }
        falsePositives = x;
        truePositives = y;
        area = sum / positives / negatives;
    }

    /**
     * Throws IllegalArgumentException if a value is NaN, because NaN cannot be ordered.
     *
     * @param what noun for a value in the message
     */
    static void requireNumbers(String what, float[] values) {
        for (int i = 0; i < values.length; i++) {
            if (Float.isNaN(values[i])) {
                throw new IllegalArgumentException("the " + what + " of record " + i + " must be a number, was NaN");
            }
        }
    }

    /** Returns the area: 0.5 for guessing, 1 for a perfect order. */
    double area() {
        return area;
    }

    /** Returns the horizontal coordinates of the curve: the false positive rate at each threshold. */
    double[] falsePositives() {
        return falsePositives.clone();
    }

    /**
     * Returns the vertical coordinates of the curve: the true positive rate at the thresholds of
     * {@link #falsePositives}.
     */
    double[] truePositives() {
        return truePositives.clone();
    }
}
