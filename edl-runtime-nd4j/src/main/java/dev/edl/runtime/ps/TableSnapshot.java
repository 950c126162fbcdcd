package dev.edl.runtime.ps;

import dev.edl.runtime.initializers.Initializer;
import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.ps.rows.RowTable;
import dev.edl.runtime.ps.rows.RowsSnapshot;
import dev.edl.runtime.ps.rows.TableSpec;
import java.util.Arrays;
import java.util.List;

/**
 * An embedding table at one version: the rows that were updated, and the initializer's values for every other id.
 *
 * <pre>{@code
 * TableSnapshot table = result.tables().get(0);
 * float[] vector = table.row(4711);        // trained or not
 * for (long id : table.ids()) { ... }      // the trained ones, ascending
 * }</pre>
 *
 * <p>Immutable and safe for several threads.
 */
public final class TableSnapshot {
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
     * Makes a table of rows that were stored elsewhere, for example in a file.
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

    /** Returns the table's name. */
    public String name() {
        return spec.name();
    }

    /** Returns the number of floats of a row. */
    public int dimension() {
        return spec.dimension();
    }

    /** Returns the initializer of the rows. */
    public Initializer initializer() {
        return spec.initializer();
    }

    /** Returns the seed of the rows' first values, see {@link Initializer#seed}. */
    public long seed() {
        return spec.seed();
    }

    /** Returns the number of rows that were updated. */
    public int size() {
        return Math.toIntExact(parts.stream().mapToLong(RowsSnapshot::count).sum());
    }

    /** Returns a new array of the ids of the updated rows, ascending. */
    public long[] ids() {
        long[] ids = new long[size()];
        int[] at = {0};
        parts.forEach(part -> part.forEach((id, values, slots, from) -> ids[at[0]++] = id));
        Arrays.sort(ids);
        return ids;
    }

    /** Returns whether a row was updated. */
    public boolean contains(long id) {
        return part(id).contains(id);
    }

    /** Returns a new array with the values of a row; the initializer's values if the row was never updated. */
    public float[] row(long id) {
        float[] row = new float[spec.dimension()];
        read(id, row, 0);
        return row;
    }

    /** Copies the values of a row to an offset of a vector; the initializer's values if the row was never updated. */
    public void read(long id, float[] into, int offset) {
        part(id).read(id, into, offset);
    }

    /**
     * Copies the values of all rows that a batch needs of this table into the batch.
     *
     * @throws IllegalArgumentException when the batch's rows are of another table
     */
    public void fill(EmbeddingRows rows) {
        if (!rows.table().name().equals(spec.name()) || rows.table().dimension() != spec.dimension()) {
            throw new IllegalArgumentException("rows of " + rows.table() + " are not of " + spec);
        }
        long[] ids = rows.ids();
        for (int i = 0; i < rows.count(); i++) {
            read(ids[i], rows.values(), i * spec.dimension());
        }
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
