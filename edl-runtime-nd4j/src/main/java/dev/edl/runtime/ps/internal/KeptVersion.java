package dev.edl.runtime.ps.internal;

import java.util.List;

/** One shard's part of a version that is kept while it is the best one. Immutable: the array must not be written. */
public final class KeptVersion {
    private final long version;
    private final float[] weights;
    private final List<RowsSnapshot> rows;

    /**
     * Makes a part of a version.
     *
     * @param version the master's number of it
     * @param weights the shard's range of the flat vector; taken over
     * @param rows of each embedding table
     */
    public KeptVersion(long version, float[] weights, List<RowsSnapshot> rows) {
        this.version = version;
        this.weights = weights;
        this.rows = List.copyOf(rows);
    }

    public long version() {
        return version;
    }

    /** Returns the array itself; do not write to it. */
    public float[] weights() {
        return weights;
    }

    public List<RowsSnapshot> rows() {
        return rows;
    }
}
