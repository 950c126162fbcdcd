package dev.edl.runtime.ps.rows;

import dev.edl.runtime.initializers.Initializer;
import dev.edl.runtime.model.EmbeddingTable;

/**
 * Specification of an embedding table's rows. Unlike the table, it omits where a training record has its ids, which
 * shards do not need.
 *
 * @param seed seed of the rows' first values, see {@link Initializer#seed}
 */
public record TableSpec(String name, int dimension, Initializer initializer, long seed) {
    public static TableSpec of(EmbeddingTable table, long trainingSeed) {
        return new TableSpec(
                table.name(), table.dimension(), table.initializer(), Initializer.seed(trainingSeed, table.name()));
    }

    /** Writes the first values of a row to an offset of a vector. */
    public void fill(float[] into, int offset, long id) {
        initializer.fill(into, offset, dimension, seed, id);
    }

    /** Returns the text for people, for example {@code fm/vectors[*, 8]}. */
    @Override
    public String toString() {
        return name + "[*, " + dimension + "]";
    }
}
