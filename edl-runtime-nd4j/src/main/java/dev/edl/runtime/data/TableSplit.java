package dev.edl.runtime.data;

/**
 * A table in two disjoint parts.
 *
 * @param train the training rows
 * @param test the test rows
 */
public record TableSplit(TableDataset train, TableDataset test) {
    /**
     * Scales each feature of both parts to mean 0 and deviation 1 of the training part.
     *
     * <p>The test part does not influence the numbers. {@link #standardization()} of the original returns them.
     */
    public TableSplit standardized() {
        Standardization standardization = standardization();
        return new TableSplit(standardization.apply(train), standardization.apply(test));
    }

    /** Returns means and deviations of the training part. */
    public Standardization standardization() {
        return Standardization.of(train);
    }
}
