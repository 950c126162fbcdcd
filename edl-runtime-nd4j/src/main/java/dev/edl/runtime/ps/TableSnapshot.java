package dev.edl.runtime.ps;

import dev.edl.runtime.initializers.Initializer;
import dev.edl.runtime.model.EmbeddingValues;
import dev.edl.runtime.ps.rows.RowTable;
import dev.edl.runtime.ps.rows.RowsSnapshot;
import dev.edl.runtime.ps.rows.TableSpec;
import java.util.Arrays;
import java.util.List;

/**
 * An embedding table at one version: the rows that were updated, and the initializer's values for every other id.
 *
 * <p>Immutable and safe for several threads.
 */
public final class TableSnapshot implements EmbeddingValues {
    private final TableSpec spec;
    /** Rows of each of n shards, in order: the row of an id is in part {@code id mod n}. */
    private final List<RowsSnapshot> parts;

    TableSnapshot(List<RowsSnapshot> parts) {
        this.spec = parts.get(0).spec();
        this.parts = List.copyOf(parts);
    }

    /** Returns the embedding tables of a model, in its order, from the snapshots of all its shards. */
    public static List<TableSnapshot> of(List<ShardSnapshot> shards) {
        return ModelSnapshot.tables(shards.stream().map(ShardSnapshot::rows).toList());
    }

    /**
     * Creates a table of rows that were stored elsewhere, for example in a file.
     *
     * @param seed seed of the rows' first values, as {@link #seed()} returns it
     * @param ids ids of the rows, each once
     * @param values values of the rows, {@code dimension} floats for each id in turn; copied
     * @throws IllegalArgumentException when the number of values does not match the ids, or an id occurs twice
     */
    public static TableSnapshot of(
            String name, int dimension, Initializer initializer, long seed, long[] ids, float[] values) {
        if (dimension < 1 || values.length != (long) ids.length * dimension) {
            throw new IllegalArgumentException("embedding table \"" + name + "\": " + ids.length + " ids of dimension "
                    + dimension + " do not fit " + values.length + " values");
        }
        RowTable table = new RowTable(new TableSpec(name, dimension, initializer, seed), 0);
        for (int i = 0; i < ids.length; i++) {
            if (!table.put(ids[i], values, new float[0][], i * dimension)) {
                throw new IllegalArgumentException("embedding table \"" + name + "\" has the id " + ids[i] + " twice");
            }
        }
        return new TableSnapshot(List.of(table.snapshot()));
    }

    /** Returns these values as a snapshot: copied, unless they are one. */
    static TableSnapshot copyOf(EmbeddingValues table) {
        if (table instanceof TableSnapshot snapshot) {
            return snapshot;
        }
        long[] ids = table.ids();
        float[] values = new float[Math.multiplyExact(ids.length, table.dimension())];
        for (int i = 0; i < ids.length; i++) {
            table.read(ids[i], values, i * table.dimension());
        }
        return of(table.name(), table.dimension(), table.initializer(), table.seed(), ids, values);
    }

    @Override
    public String name() {
        return spec.name();
    }

    @Override
    public int dimension() {
        return spec.dimension();
    }

    @Override
    public Initializer initializer() {
        return spec.initializer();
    }

    @Override
    public long seed() {
        return spec.seed();
    }

    @Override
    public int size() {
        return Math.toIntExact(parts.stream().mapToLong(RowsSnapshot::count).sum());
    }

    @Override
    public long[] ids() {
        long[] ids = new long[size()];
        int[] at = {0};
        parts.forEach(part -> part.forEach((id, values, slots, from) -> ids[at[0]++] = id));
        Arrays.sort(ids);
        return ids;
    }

    @Override
    public boolean contains(long id) {
        return part(id).contains(id);
    }

    @Override
    public void read(long id, float[] into, int offset) {
        part(id).read(id, into, offset);
    }

    /** Returns the rows of each shard, in order; for a table that was stored elsewhere, all rows as one part. */
    List<RowsSnapshot> parts() {
        return parts;
    }

    private RowsSnapshot part(long id) {
        return parts.get(Math.floorMod(id, parts.size()));
    }

    /** Returns the text for people, for example {@code fm/vectors[*, 8], 1200 rows updated}. */
    @Override
    public String toString() {
        return spec + ", " + size() + " rows updated";
    }
}
