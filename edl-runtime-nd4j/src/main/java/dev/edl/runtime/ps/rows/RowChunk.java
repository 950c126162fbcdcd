package dev.edl.runtime.ps.rows;

import java.util.Arrays;

/**
 * A fixed number of an embedding table's rows: their ids, values and optimizer slots, row-major.
 *
 * <p>The table that owns a chunk writes to it. A snapshot revokes the ownership, so that the table copies the chunk
 * before its next write, and the snapshot never changes.
 */
final class RowChunk {
    final long[] ids;
    final float[] values;
    final float[][] slots;
    private final Object owner;

    /** Creates a chunk of zeros. */
    RowChunk(int rows, int dimension, int slots, Object owner) {
        this(new long[rows], new float[rows * dimension], new float[slots][rows * dimension], owner);
    }

    private RowChunk(long[] ids, float[] values, float[][] slots, Object owner) {
        this.ids = ids;
        this.values = values;
        this.slots = slots;
        this.owner = owner;
    }

    boolean ownedBy(Object someone) {
        return owner == someone;
    }

    RowChunk copy(Object newOwner) {
        float[][] slotCopies = Arrays.stream(slots).map(float[]::clone).toArray(float[][]::new);
        return new RowChunk(ids.clone(), values.clone(), slotCopies, newOwner);
    }
}
