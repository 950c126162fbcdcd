package dev.edl.examples;

import dev.edl.runtime.Batch;
import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.Dataset;
import java.io.IOException;
import java.util.List;

/** Records of a dataset one after the other, to compare with what was predicted for them. */
public final class HeldOut {
    private static final int AT_ONCE = 1024;

    private HeldOut() {}

    /** Looks at a record. */
    @FunctionalInterface
    public interface Visitor {
        /**
         * Looks at a record.
         *
         * @param record its number, counted from 0 over all shards
         * @param batch holds it
         * @param row where in the batch it is
         */
        void visit(int record, Batch batch, int row);
    }

    /** Visits all records in the order of the data, which is that of their predictions. */
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

    /** The first label of each record. */
    public static float[] labels(Dataset data) throws IOException {
        float[] labels = new float[Math.toIntExact(data.records())];
        visit(data, (record, batch, row) -> labels[record] = batch.labels()[row * batch.labelWidth()]);
        return labels;
    }
}
