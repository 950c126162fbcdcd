package dev.edl.runtime.data;

/**
 * A table in two parts.
 *
 * @param train the rows to train on
 * @param test the rows to measure on, none of them in the other part
 */
public record TableSplit(TableDataset train, TableDataset test) {
    /**
     * Both parts with each feature shifted and scaled to mean 0 and deviation 1 on the training part; the test part
     * has no say in it. {@link #standardization()} of the original gives the numbers.
     */
    public TableSplit standardized() {
        Standardization standardization = standardization();
        return new TableSplit(standardization.apply(train), standardization.apply(test));
    }

    /** Means and deviations of the training part. */
    public Standardization standardization() {
        return Standardization.of(train);
    }
}
