package dev.edl.runtime.data;

import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.util.List;

/**
 * Records that several workers can read at once, by shard and range and in any order.
 *
 * <p>Implementations are safe for several threads. Reading the same range twice must give the same records, so that a
 * task can be reassigned to another worker.
 *
 * <p>A training worker reads one task ahead on a separate thread. That thread makes one read at a time, and holds up to
 * twice the records of a task in memory. A worker that stops interrupts its read and waits for it to end. The read may
 * then return or throw; its result is not used.
 */
public interface Dataset {
    /** Returns the shards in a stable order; every call returns the same list. */
    List<DataShard> shards();

    /** Returns the number of feature floats in one record. */
    int features();

    /** Returns the number of label floats in one record; 0 for records without labels. */
    int labels();

    /** Returns the number of ids in one record; 0 for records without ids. */
    default int ids() {
        return 0;
    }

    /**
     * Returns the names of features and classes. A training compares them between its data, its validation data and
     * the checkpoint that it resumes from; an evaluation or prediction with those of the model. Default: unknown, which
     * agrees with all.
     */
    default RecordNames names() {
        return RecordNames.UNKNOWN;
    }

    /**
     * Appends the records {@code start} (inclusive) to {@code end} (exclusive) of a shard to a batch.
     *
     * @param shard a name from {@link #shards()}
     * @param into a batch of this dataset's widths with capacity for {@code end - start} more records
     * @throws IOException when the shard cannot be read; the message names file, offset, expected and found
     */
    void read(String shard, long start, long end, Batch into) throws IOException;

    /** Returns the number of records in all shards. */
    default long records() {
        return shards().stream().mapToLong(DataShard::records).sum();
    }
}
