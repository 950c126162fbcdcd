package dev.edl.runtime.data;

/**
 * A table in two disjoint parts.
 *
 * @param train the training rows
 * @param test the test rows
 */
public record ArraySplit(ArrayDataset train, ArrayDataset test) {
    /**
     * Returns the split with each feature of both parts scaled, such that the training part has mean 0 and deviation 1.
     *
     * <p>The test part does not influence the means and deviations. {@link #standardization()} of the original split
     * returns them.
     */
    public ArraySplit standardized() {
        Standardization standardization = standardization();
        return new ArraySplit(standardization.apply(train), standardization.apply(test));
    }

    /** Returns means and deviations of the training part. */
    public Standardization standardization() {
        return Standardization.of(train);
    }
}
