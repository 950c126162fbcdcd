package dev.edl.runtime.data;

import dev.edl.runtime.Batch;

/** The check that a batch fits a dataset and has room for what is to be read. */
final class BatchRoom {
    private BatchRoom() {}

    static void check(Dataset dataset, String shard, long records, Batch into) {
        if (into.featureWidth() != dataset.features() || into.labelWidth() != dataset.labels()) {
            throw new IllegalArgumentException("shard \"" + shard + "\": a batch of " + dataset.features()
                    + " features and " + dataset.labels() + " labels is needed, was " + into.featureWidth() + " and "
                    + into.labelWidth());
        }
        int room = into.capacity() - into.size();
        if (records > room) {
            throw new IllegalArgumentException("shard \"" + shard + "\": " + records + " records do not fit into "
                    + into + ", it has room for " + room);
        }
    }
}
