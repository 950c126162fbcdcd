package dev.edl.examples.clicks;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Whether of the records that are said to be clicked with 30 %, 30 % are: means of equally many records each. */
final class Calibration {
    private static final int BINS = 20;

    private final double[] predicted;
    private final double[] observed;

    /**
     * Compares probabilities with what happened.
     *
     * @param labels 1 for a click, else 0
     * @param probabilities of a click, of the same records, none of them NaN
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

    /** The mean prediction of each bin, ascending. */
    double[] predicted() {
        return predicted.clone();
    }

    /** The share of clicks in each bin. */
    double[] observed() {
        return observed.clone();
    }
}
