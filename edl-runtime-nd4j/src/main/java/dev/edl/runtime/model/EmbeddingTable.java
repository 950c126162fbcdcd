package dev.edl.runtime.model;

import dev.edl.runtime.initializers.Initializer;
import java.util.List;
import java.util.Objects;

/**
 * Table of vectors that a model looks up by id; the parameter servers keep one row for each id that occurs.
 *
 * <p>A table has no fixed number of rows. A row that was never updated has the values of the initializer; it takes
 * memory from its first update on. Rows are spread over the parameter servers by {@code id mod n}, ElasticDL's rule.
 *
 * <p>A range of columns of {@link Batch#ids()} is looked up in the table. Tables may share columns: a factorization
 * machine looks up the same ids in a table of weights and in one of vectors.
 *
 * <pre>{@code
 * new EmbeddingTable("fm/vectors", 8, 0, 26, Initializer.uniform(-0.05f, 0.05f));   // 26 ids, 8 floats each
 * }</pre>
 *
 * @param name name of the table, unique among a model's tables and parameters
 * @param dimension floats of a row, at least 1
 * @param firstColumn index of the first id column that is looked up in this table
 * @param columns number of id columns that are looked up in this table, at least 1
 * @param initializer initial values of a row
 */
public record EmbeddingTable(String name, int dimension, int firstColumn, int columns, Initializer initializer) {
    /** Checks the name, the numbers and the initializer. */
    public EmbeddingTable {
        if (name.isBlank()) {
            throw new IllegalArgumentException(
                    "an embedding table's name must not be blank, for example \"fm/vectors\"");
        }
        Objects.requireNonNull(initializer, "initializer");
        if (dimension < 1 || firstColumn < 0 || columns < 1 || firstColumn > Integer.MAX_VALUE - columns) {
            throw new IllegalArgumentException("embedding table \"" + name
                    + "\" needs dimension >= 1, firstColumn >= 0 and columns >= 1, and fewer than 2^31 in all, was "
                    + dimension + ", "
                    + firstColumn + ", " + columns);
        }
    }

    /** Rejects tables that do not have a name of their own among the tables and parameters of a model. */
    public static void requireNames(ParameterLayout layout, List<EmbeddingTable> tables) {
        for (int i = 0; i < tables.size(); i++) {
            String name = tables.get(i).name();
            if (tables.subList(0, i).stream().anyMatch(other -> other.name().equals(name))
                    || layout.parameters().stream().anyMatch(p -> p.name().equals(name))) {
                throw new IllegalArgumentException("embedding table \"" + name
                        + "\" must have a name of its own among the model's tables and parameters");
            }
        }
    }

    /** Returns, for example, {@code fm/vectors[*, 8] of ids 0..25}. */
    @Override
    public String toString() {
        return name + "[*, " + dimension + "] of ids " + firstColumn + ".." + (firstColumn + columns - 1);
    }
}
