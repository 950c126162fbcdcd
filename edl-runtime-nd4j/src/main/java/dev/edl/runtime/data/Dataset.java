package dev.edl.runtime.data;

import dev.edl.runtime.Batch;
import java.io.IOException;
import java.util.List;

/**
 * Records that can be read by shard and range, in any order and by several workers at once.
 *
 * <p>Implementations are safe for several threads. Reading the same range twice gives the same records: this is what
 * lets a task be handed to another worker.
 *
 * <p>A worker of a training reads one task ahead, on a thread of its own beside the one that computes: one read at a time for
 * each worker, and twice the records of a task in memory. A worker that is stopped interrupts its read. One that ends soon
 * then, by any exception or as usual, lets its worker end; what it gives is not used.
 */
public interface Dataset {
    /** The shards in a stable order; the same list at every call. */
    List<DataShard> shards();

    /** Floats of features in one record. */
    int features();

    /** Floats of labels in one record; 0 when the records carry none. */
    int labels();

    /** Ids in one record; 0 when the records carry none. */
    default int ids() {
        return 0;
    }

    /**
     * Appends the records {@code start} (inclusive) to {@code end} (exclusive) of a shard to a batch.
     *
     * @param shard a name from {@link #shards()}
     * @param into a batch of this dataset's widths with room for {@code end - start} more records
     * @throws IOException when the shard cannot be read; the message names file, offset, expected and found
     */
    void read(String shard, long start, long end, Batch into) throws IOException;

    /** All records of all shards. */
    default long records() {
        return shards().stream().mapToLong(DataShard::records).sum();
    }
}
