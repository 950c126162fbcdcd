package dev.edl.examples.clicks;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Calibration of predicted probabilities: mean prediction and observed share of clicks in at most 20 bins of equally
 * many records.
 */
final class Calibration {
    private static final int BINS = 20;

    private final double[] predicted;
    private final double[] observed;

    /**
     * Compares probabilities with labels.
     *
     * @param labels label of each record: 1 for a click, otherwise 0
     * @param probabilities predicted probability of a click for each of these records, not NaN
     */
    Calibration(float[] labels, float[] probabilities) {
        Auc.requireNumbers("probability", probabilities);
        Integer[] order = IntStream.range(0, labels.length).boxed().toArray(Integer[]::new);
        Arrays.sort(order, Comparator.comparingDouble(i -> probabilities[i]));
        int bins = Math.min(BINS, labels.length);
        predicted = new double[bins];
        observed = new double[bins];
        for (int bin = 0; bin < bins; bin++) {
            int from = (int) ((long) bin * order.length / bins);
            int to = (int) ((bin + 1L) * order.length / bins);
            for (int i = from; i < to; i++) {
                predicted[bin] += (double) probabilities[order[i]] / (to - from);
                observed[bin] += (double) labels[order[i]] / (to - from);
            }
        }
    }

    /** Returns the mean prediction of each bin, ascending. */
    double[] predicted() {
        return predicted.clone();
    }

    /** Returns the share of clicks in each bin. */
    double[] observed() {
        return observed.clone();
    }
}
