package dev.edl.runtime.model;

import dev.edl.runtime.initializers.Initializer;

/**
 * Values of an embedding table at one version: the rows that were updated, and the initializer's values for every other
 * id.
 *
 * <pre>{@code
 * EmbeddingValues table = result.tables().get(0);
 * float[] vector = table.row(4711);        // trained or not
 * for (long id : table.ids()) { ... }      // the trained ones, ascending
 * }</pre>
 *
 * <p>Immutable and safe for several threads.
 */
public interface EmbeddingValues {
    /** Returns the table's name. */
    String name();

    /** Returns the number of floats of a row. */
    int dimension();

    /** Returns the initializer of the rows. */
    Initializer initializer();

    /** Returns the seed of the rows' first values, see {@link Initializer#seed}. */
    long seed();

    /** Returns the number of rows that were updated. */
    int size();

    /** Returns a new array of the ids of the updated rows, ascending. */
    long[] ids();

    /** Returns whether a row was updated. */
    boolean contains(long id);

    /** Copies the values of a row to an offset of a vector; the initializer's values if the row was never updated. */
    void read(long id, float[] into, int offset);

    /** Returns a new array with the values of a row; the initializer's values if the row was never updated. */
    default float[] row(long id) {
        float[] row = new float[dimension()];
        read(id, row, 0);
        return row;
    }

    /**
     * Copies the values of all rows that a batch needs of this table into the batch.
     *
     * @throws IllegalArgumentException when the batch's rows belong to another table
     */
    default void fill(EmbeddingRows rows) {
        if (!rows.table().name().equals(name()) || rows.table().dimension() != dimension()) {
            throw new IllegalArgumentException(
                    "rows of " + rows.table() + " are not of " + name() + "[*, " + dimension() + "]");
        }
        long[] ids = rows.ids();
        for (int i = 0; i < rows.count(); i++) {
            read(ids[i], rows.values(), i * dimension());
        }
    }
}
