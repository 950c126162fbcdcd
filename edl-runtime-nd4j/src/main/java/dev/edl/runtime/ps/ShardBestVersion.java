package dev.edl.runtime.ps;

import dev.edl.runtime.ps.rows.RowsSnapshot;
import java.util.List;

/** One shard's part of a version that is kept while it is the best one. Immutable: the array must not be written. */
public final class ShardBestVersion {
    private final long version;
    private final float[] weights;
    private final List<RowsSnapshot> rows;

    /**
     * Creates one shard's part of a kept version.
     *
     * @param version number under which the master keeps the version
     * @param weights weights of the shard's range of the flat vector; taken over
     * @param rows shard's rows of each embedding table
     */
    public ShardBestVersion(long version, float[] weights, List<RowsSnapshot> rows) {
        this.version = version;
        this.weights = weights;
        this.rows = List.copyOf(rows);
    }

    public long version() {
        return version;
    }

    /** Returns the weights of the shard's range. This is the array itself; do not write to it. */
    public float[] weights() {
        return weights;
    }

    public List<RowsSnapshot> rows() {
        return rows;
    }
}
