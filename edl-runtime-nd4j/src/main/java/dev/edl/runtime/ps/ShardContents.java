package dev.edl.runtime.ps;

import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.model.EmbeddingTable;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.ParameterLayout;
import dev.edl.runtime.ps.rows.TableSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * Contents of a model's parameter shards: the flat parameter vector and embedding tables. The first floats of the
 * vector are trained; the rest is layer state.
 *
 * <p>{@link #split} divides the vector; the shard {@code id mod n} holds the row of an id, in every table. Immutable.
 *
 * <pre>{@code
 * ShardContents contents = ShardContents.of(model, 42);
 * LocalShards group = new LocalShards(contents, 2, Duration.ofSeconds(30));
 * }</pre>
 */
public final class ShardContents {
    private final int size;
    private final int trained;
    private final List<TableSpec> tables;

    private ShardContents(int size, int trained, List<TableSpec> tables) {
        this.size = size;
        this.trained = trained;
        this.tables = List.copyOf(tables);
    }

    /** Returns contents without embedding tables, whose floats are all trained. */
    public static ShardContents floats(int size) {
        return new ShardContents(size, size, List.of());
    }

    /**
     * Returns the contents of a model's shards.
     *
     * @param seed the training's, from which the first values of rows follow
     */
    public static ShardContents of(Model model, long seed) {
        return of(model.layout(), model.embeddings(), seed);
    }

    /**
     * Returns the contents of a model's shards.
     *
     * @param tables with different names
     * @param seed the training's, from which the first values of rows follow
     */
    public static ShardContents of(ParameterLayout layout, List<EmbeddingTable> tables, long seed) {
        EmbeddingTable.requireNames(layout, tables);
        List<TableSpec> specs = new ArrayList<>();
        for (EmbeddingTable table : tables) {
            specs.add(TableSpec.of(table, seed));
        }
        return new ShardContents(layout.size(), layout.trained(), specs);
    }

    /** Returns the number of floats of the parameter vector. */
    public int size() {
        return size;
    }

    /**
     * Returns the ranges of this many shards, as {@link Sharding#split} does. With tables, a vector may be shorter than
     * the number of shards; the last shards then hold rows only.
     */
    public List<ShardRange> split(int shards) {
        if (tables.isEmpty() || size >= shards) {
            return Sharding.split(size, shards);
        }
        List<ShardRange> ranges = new ArrayList<>();
        for (int i = 0; i < shards; i++) {
            ranges.add(new ShardRange(i, Math.min(i, size), i < size ? 1 : 0));
        }
        return List.copyOf(ranges);
    }

    /** Returns the specifications of the model's embedding tables, in order. */
    public List<TableSpec> tables() {
        return tables;
    }

    /** Returns how many floats at the start of a range are trained; the rest of the range is layer state. */
    public int trained(ShardRange range) {
        return Math.max(0, Math.min(range.length(), trained - range.offset()));
    }

    /** Rejects a list of rows unless it has one entry for each of these tables, in their order, or is empty. */
    public void requireRows(List<EmbeddingRows> rows) {
        boolean fits = rows.isEmpty() || rows.size() == tables.size();
        for (int i = 0; fits && i < rows.size(); i++) {
            EmbeddingTable table = rows.get(i).table();
            fits = table.name().equals(tables.get(i).name())
                    && table.dimension() == tables.get(i).dimension();
        }
        if (!fits) {
            throw new IllegalArgumentException("rows must be of the tables " + tables + ", in this order, were of "
                    + rows.stream().map(EmbeddingRows::table).toList());
        }
    }

    /** Returns the text for people, for example {@code 650 floats, 640 of them trained, [fm/vectors[*, 8]]}. */
    @Override
    public String toString() {
        return size + " floats" + (trained < size ? ", " + trained + " of them trained" : "")
                + (tables.isEmpty() ? "" : ", " + tables);
    }
}
