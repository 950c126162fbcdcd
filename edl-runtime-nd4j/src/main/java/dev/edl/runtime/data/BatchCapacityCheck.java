package dev.edl.runtime.data;

import dev.edl.runtime.model.Batch;

/** Checks that a batch fits a dataset and has capacity for the records to read. */
public final class BatchCapacityCheck {
    private BatchCapacityCheck() {}

    /**
     * Throws an exception if records of a dataset do not fit into a batch.
     *
     * @throws IllegalArgumentException when the batch has other widths or no capacity for so many records; names both
     */
    public static void check(Dataset dataset, String shard, long records, Batch into) {
        if (into.featureWidth() != dataset.features()
                || into.labelWidth() != dataset.labels()
                || into.idWidth() != dataset.ids()) {
            boolean withIds = dataset.ids() > 0 || into.idWidth() > 0;
            throw new IllegalArgumentException("shard \"" + shard + "\": the batch must have " + dataset.features()
                    + " features" + (withIds ? ", " : " and ") + dataset.labels() + " labels"
                    + (withIds ? " and " + dataset.ids() + " ids" : "") + ", was " + into.featureWidth()
                    + (withIds ? ", " : " and ") + into.labelWidth() + (withIds ? " and " + into.idWidth() : ""));
        }
        int room = into.capacity() - into.size();
        if (records > room) {
            throw new IllegalArgumentException("shard \"" + shard + "\": " + records + " records do not fit into "
                    + into + ", it has room for " + room);
        }
    }
}
