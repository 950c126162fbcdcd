package dev.edl.runtime.ps;

import dev.edl.runtime.ps.files.CheckpointException;
import dev.edl.runtime.ps.files.ChecksummedInput;
import dev.edl.runtime.ps.files.ChecksummedOutput;
import dev.edl.runtime.ps.rows.RowsFile;
import dev.edl.runtime.ps.rows.RowsSnapshot;
import dev.edl.runtime.ps.rows.TableSpec;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/** A copy of one shard's parameters at a pinned version. Immutable: the array must not be written. */
public final class PinnedShard {
    /** "EDLP" in a stream. */
    private static final int MAGIC = 0x504c4445;

    private final long version;
    private final ShardRange range;
    private final float[] weights;
    private final List<RowsSnapshot> rows;

    /**
     * Creates a copy of a version.
     *
     * @param weights the shard's weights, as long as the range; taken over
     * @param rows the shard's rows of each embedding table, in the order of the model's tables
     */
    public PinnedShard(long version, ShardRange range, float[] weights, List<RowsSnapshot> rows) {
        this.version = version;
        this.range = range;
        this.weights = weights;
        this.rows = List.copyOf(rows);
    }

    /** Returns the number under which the version is pinned. */
    public long version() {
        return version;
    }

    /** Returns the range of the flat vector that this copy holds. */
    public ShardRange range() {
        return range;
    }

    /** Returns the weights of the range. This is the array itself; do not write to it. */
    public float[] weights() {
        return weights;
    }

    List<RowsSnapshot> rows() {
        return rows;
    }

    /** Writes this copy to a stream for another process, without the optimizer slots of rows. */
    public void write(OutputStream to) throws IOException {
        ChecksummedOutput out = ChecksummedOutput.to(to);
        out.putInt(MAGIC);
        out.putLong(version);
        out.putInt(range.index());
        out.putFloats(weights);
        out.putInt(rows.size());
        for (RowsSnapshot table : rows) {
            RowsFile.writeValues(table, out);
        }
        out.seal();
    }

    /**
     * Reads the output of {@link #write}.
     *
     * @param contents contents of the training's shards
     * @param shards number of shards
     * @throws CheckpointException when the bytes are damaged or of another model
     */
    public static PinnedShard read(InputStream from, ShardContents contents, int shards) throws IOException {
        ChecksummedInput in = ChecksummedInput.of("a shard's pinned version", from);
        int magic = in.getInt();
        if (magic != MAGIC) {
            throw in.damaged(String.format("begins with %08x, not %08x", magic, MAGIC));
        }
        long version = in.getLong();
        int index = in.getInt();
        if (index < 0 || index >= shards) {
            throw in.damaged("is of shard " + index + ", there are " + shards + " shards");
        }
        ShardRange range = contents.split(shards).get(index);
        float[] weights = in.getFloats(range.length(), "weights", range);
        int tables = in.getInt();
        if (tables != contents.tables().size()) {
            throw in.damaged("has " + tables + " embedding tables, the model has "
                    + contents.tables().size());
        }
        List<RowsSnapshot> rows = new ArrayList<>();
        for (TableSpec table : contents.tables()) {
            rows.add(RowsFile.readValues(table, index, shards, in));
        }
        in.end();
        return new PinnedShard(version, range, weights, rows);
    }

    /** Returns the text for people, for example {@code ps-0[0..3) at version 40}. */
    @Override
    public String toString() {
        return range + " at version " + version;
    }
}
