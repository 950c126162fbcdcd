package dev.edl.examples;

import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.util.List;

/** Iterates over the records of a dataset, for comparison with their predictions. */
public final class DatasetRecords {
    private static final int AT_ONCE = 1024;

    private DatasetRecords() {}

    /** Callback for a record. */
    @FunctionalInterface
    public interface Visitor {
        /**
         * Visits a record.
         *
         * @param record number of the record, counted from 0 over all shards
         * @param batch batch that contains the record
         * @param row row of the record in the batch
         */
        void visit(int record, Batch batch, int row);
    }

    /** Visits all records of a dataset in its order, which is also the order of predictions for it. */
    public static void visit(Dataset data, Visitor visitor) throws IOException {
        Batch batch = new Batch(AT_ONCE, data.features(), data.labels(), data.ids(), List.of());
        int record = 0;
        for (DataShard shard : data.shards()) {
            for (long from = 0; from < shard.records(); from += AT_ONCE) {
                data.read(shard.name(), from, Math.min(shard.records(), from + AT_ONCE), batch.clear(shard.name()));
                for (int row = 0; row < batch.size(); row++) {
                    visitor.visit(record++, batch, row);
                }
            }
        }
    }

    /** Returns the first label of each record, in the order of the dataset. */
    public static float[] labels(Dataset data) throws IOException {
        float[] labels = new float[Math.toIntExact(data.records())];
        visit(data, (record, batch, row) -> labels[record] = batch.labels()[row * batch.labelWidth()]);
        return labels;
    }
}
