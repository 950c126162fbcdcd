package dev.edl.runtime.ps;

import dev.edl.runtime.model.ParameterValues;
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
import java.util.Collection;
import java.util.List;

/**
 * All parameters of a model at one version: the flat vector and the embedding tables. Later updates of the shards do
 * not change it.
 *
 * <p>Safe for several threads, as long as no thread writes to {@link #weights()}.
 */
public final class ModelSnapshot implements ParameterValues {
    /** "EDLM" in a stream. */
    private static final int MAGIC = 0x4d4c4445;

    private final long version;
    private final float[] weights;
    private final List<TableSnapshot> tables;

    private ModelSnapshot(long version, float[] weights, List<TableSnapshot> tables) {
        this.version = version;
        this.weights = weights;
        this.tables = tables;
    }

    /**
     * Returns the model at a version that all shards have pinned.
     *
     * @param shards copies of all shards at the same version, in the order of their ranges, at least one
     */
    public static ModelSnapshot of(List<PinnedShard> shards) {
        float[] weights = new float[shards.get(shards.size() - 1).range().end()];
        for (PinnedShard shard : shards) {
            System.arraycopy(shard.weights(), 0, weights, shard.range().offset(), shard.weights().length);
        }
        return ofShards(
                shards.get(0).version(),
                weights,
                shards.stream().map(PinnedShard::rows).toList());
    }

    /**
     * Creates a model of a flat vector and the shards' rows.
     *
     * @param weights the flat vector; taken over
     * @param shards for each shard its rows of every table
     */
    public static ModelSnapshot ofShards(long version, float[] weights, List<List<RowsSnapshot>> shards) {
        return new ModelSnapshot(version, weights, tables(shards));
    }

    /**
     * Creates a model that was stored elsewhere, for example in a file.
     *
     * @param version number of updates made, at least 0
     * @param weights the flat vector, in the order of the model's layout; taken over
     * @param tables the embedding tables, in the order of the model's tables
     */
    public static ModelSnapshot of(long version, float[] weights, Collection<TableSnapshot> tables) {
        if (version < 0) {
            throw new IllegalArgumentException("a model's version must be at least 0, was " + version);
        }
        return new ModelSnapshot(version, weights, List.copyOf(tables));
    }

    /** Returns these values as a snapshot, which shares their flat vector. */
    public static ModelSnapshot of(ParameterValues values) {
        return values instanceof ModelSnapshot snapshot
                ? snapshot
                : of(
                        values.version(),
                        values.weights(),
                        values.tables().stream().map(TableSnapshot::copyOf).toList());
    }

    /** Writes the model to a stream, which stays open. {@link #read} reads it in another process. */
    public void write(OutputStream to) throws IOException {
        ChecksummedOutput out = ChecksummedOutput.to(to);
        out.putInt(MAGIC);
        out.putLong(version);
        out.putFloats(weights);
        out.putInt(tables.size());
        for (TableSnapshot table : tables) {
            out.putInt(table.parts().size());
            for (RowsSnapshot rows : table.parts()) {
                RowsFile.writeValues(rows, out);
            }
        }
        out.seal();
    }

    /**
     * Reads the output of {@link #write}, and nothing after it. Allocates no more memory than the model can need.
     *
     * @param contents contents of the model's shards
     * @param shards number of shards
     * @throws CheckpointException when the bytes are damaged or of another model; the message names the problem
     */
    public static ModelSnapshot read(InputStream from, ShardContents contents, int shards) throws IOException {
        ChecksummedInput in = ChecksummedInput.of("a model's state", from);
        int magic = in.getInt();
        if (magic != MAGIC) {
            throw in.damaged(String.format("begins with %08x, not %08x", magic, MAGIC));
        }
        long version = in.getLong();
        float[] weights = in.getFloats(contents.size(), "weights", "a model of " + contents.size());
        int count = in.getInt();
        if (version < 0 || count != contents.tables().size()) {
            throw in.damaged("has version " + version + " and " + count + " embedding tables, the model has "
                    + contents.tables().size());
        }
        List<TableSnapshot> tables = new ArrayList<>();
        for (TableSpec table : contents.tables()) {
            int parts = in.getInt();
            if (parts != 1 && parts != shards) {
                throw in.damaged("has " + parts + " parts of " + table + ", there are " + shards + " shards");
            }
            List<RowsSnapshot> rows = new ArrayList<>();
            for (int part = 0; part < parts; part++) {
                rows.add(RowsFile.readValues(table, part, parts, in));
            }
            tables.add(new TableSnapshot(rows));
        }
        in.end();
        return of(version, weights, tables);
    }

    static List<TableSnapshot> tables(List<List<RowsSnapshot>> shards) {
        List<TableSnapshot> tables = new ArrayList<>();
        for (int t = 0; t < shards.get(0).size(); t++) {
            int table = t;
            tables.add(new TableSnapshot(
                    shards.stream().map(rows -> rows.get(table)).toList()));
        }
        return List.copyOf(tables);
    }

    @Override
    public long version() {
        return version;
    }

    @Override
    public float[] weights() {
        return weights;
    }

    @Override
    public List<TableSnapshot> tables() {
        return tables;
    }

    /**
     * Returns the text for people, for example {@code version 12: 650 floats, [fm/vectors[*, 8], 1200 rows updated]}.
     */
    @Override
    public String toString() {
        return "version " + version + ": " + weights.length + " floats" + (tables.isEmpty() ? "" : ", " + tables);
    }
}
