package dev.edl.runtime.data;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Immutable mean and deviation of each feature, to be applied to training, test and new rows.
 *
 * <p>The deviation is the population's (divided by n), and 1 for a constant feature. Both are double precision: a mean
 * rounded to a float would shift large numbers that are close together.
 */
public final class Standardization {
    private final double[] means;
    private final double[] deviations;

    private Standardization(double[] means, double[] deviations) {
        this.means = means;
        this.deviations = deviations;
    }

    /** Computes mean and deviation of a table's features, in double precision. */
    public static Standardization of(ArrayDataset table) {
        int width = table.features();
        double[] means = new double[width];
        double[] deviations = new double[width];
        for (int column = 0; column < width; column++) {
            double mean = 0;
            for (int row = 0; row < table.rows(); row++) {
                mean += table.values()[row * width + column];
            }
            mean /= table.rows();
            double squares = 0;
            boolean changes = false;
            for (int row = 0; row < table.rows(); row++) {
                float value = table.values()[row * width + column];
                squares += (value - mean) * (value - mean);
                changes |= value != table.values()[column];
            }
            means[column] = mean;
            // Rounding would give a constant feature a deviation of nearly 0.
            deviations[column] = changes ? Math.sqrt(squares / table.rows()) : 1;
        }
        return new Standardization(means, deviations);
    }

    /**
     * Returns a standardization of known values, for example read from an exported model.
     *
     * @param means mean of each feature, finite
     * @param deviations deviation of each feature, finite and above 0
     */
    public static Standardization of(double[] means, double[] deviations) {
        if (means.length == 0 || means.length != deviations.length) {
            throw new IllegalArgumentException("means and deviations must have one value for each feature, was "
                    + means.length + " and " + deviations.length);
        }
        for (int i = 0; i < means.length; i++) {
            if (!Double.isFinite(means[i]) || !Double.isFinite(deviations[i]) || deviations[i] <= 0) {
                throw new IllegalArgumentException("feature " + i
                        + ": the mean must be finite and the deviation finite and above 0, was " + means[i] + " and "
                        + deviations[i]);
            }
        }
        return new Standardization(means.clone(), deviations.clone());
    }

    /** Returns a standardization of known values that were stored as floats. */
    public static Standardization of(float[] means, float[] deviations) {
        return of(doubles(means), doubles(deviations));
    }

    private static double[] doubles(float[] values) {
        return IntStream.range(0, values.length).mapToDouble(i -> values[i]).toArray();
    }

    /** Returns a copy of the mean of each feature. */
    public double[] means() {
        return means.clone();
    }

    /** Returns a copy of the deviation of each feature, never 0. */
    public double[] deviations() {
        return deviations.clone();
    }

    /** Returns a table in which every feature value is replaced by {@code (value - mean) / deviation}. */
    public ArrayDataset apply(ArrayDataset table) {
        float[] values = table.values().clone();
        for (int row = 0; row < table.rows(); row++) {
            apply(values, row * means.length, table.features());
        }
        return table.withFeatures(values).named(table.names().standardized(this));
    }

    /** Returns a standardized copy of a row of features. */
    public float[] apply(float[] row) {
        float[] values = row.clone();
        apply(values, 0, row.length);
        return values;
    }

    /** Returns a hash of the values as floats, which are what an exported model stores, in 8 hexadecimal digits. */
    String fingerprint() {
        int hash = 1;
        for (double[] values : new double[][] {means, deviations}) {
            for (double value : values) {
                hash = 31 * hash + Float.hashCode((float) value);
            }
        }
        return String.format(Locale.ROOT, "%08x", hash);
    }

    private void apply(float[] values, int from, int width) {
        if (width != means.length) {
            throw new IllegalArgumentException("the row must have " + means.length + " features, was " + width);
        }
        for (int i = 0; i < width; i++) {
            values[from + i] = (float) ((values[from + i] - means[i]) / deviations[i]);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Standardization that
                && Arrays.equals(means, that.means)
                && Arrays.equals(deviations, that.deviations);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(means) + Arrays.hashCode(deviations);
    }

    /** Returns, for example, {@code Standardization[means [5.8, 3.0], deviations [0.8, 0.4]]}. */
    @Override
    public String toString() {
        return "Standardization[means " + Arrays.toString(means) + ", deviations " + Arrays.toString(deviations) + "]";
    }
}
