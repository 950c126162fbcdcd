package dev.edl.runtime.model;

import dev.edl.runtime.initializers.Initializer;
import dev.edl.runtime.internal.math.SplitMixHash;
import java.util.Arrays;

/**
 * Rows of one embedding table that a batch needs: each distinct id once, with its values and their gradient.
 *
 * <p>The runtime collects the ids and fills in the values before a session computes. The session adds to the gradients,
 * which are 0 when it is called. Ids are in the order of their first occurrence in the batch. A negative id means
 * "none": it has no row and contributes nothing. Belongs to a {@link Batch} and is reused with it; not safe for several
 * threads.
 *
 * <pre>{@code
 * EmbeddingRows rows = batch.rows(0);
 * for (int column = 0; column < rows.table().columns(); column++) {
 *   int row = rows.row(record, column);
 *   if (row >= 0) {
 *     sum += rows.values()[row * rows.table().dimension()];
 *   }
 * }
 * }</pre>
 */
public final class EmbeddingRows {
    private final EmbeddingTable table;
    private final int[] places;
    private final long[] ids;
    private final float[] values;
    private final float[] gradients;
    /** Open-addressing hash table from ids to rows; an element is the row + 1, and 0 marks a free element. */
    private final int[] buckets;

    private int count;

    EmbeddingRows(EmbeddingTable table, int capacity) {
        this(table, Math.multiplyExact(capacity, table.columns()), capacity);
    }

    private EmbeddingRows(EmbeddingTable table, int most, int records) {
        this.table = table;
        this.places = new int[records * table.columns()];
        this.ids = new long[most];
        this.values = new float[Math.multiplyExact(most, table.dimension())];
        this.gradients = new float[values.length];
        this.buckets = new int[Integer.highestOneBit(Math.max(2, most)) << 2];
    }

    /**
     * Returns rows of a table for the given ids, with values and gradients of 0; the rows belong to no record of a
     * batch.
     *
     * @param ids distinct ids
     */
    public static EmbeddingRows of(EmbeddingTable table, long... ids) {
        EmbeddingRows rows = new EmbeddingRows(table, ids.length, 0);
        for (long id : ids) {
            int before = rows.count;
            if (id < 0 || rows.place(id) < before) {
                throw new IllegalArgumentException(
                        "the ids of rows of " + table + " must be at least 0 and each once, had " + id);
            }
        }
        return rows;
    }

    /** Returns the embedding table to which these rows belong. */
    public EmbeddingTable table() {
        return table;
    }

    /** Returns the number of distinct ids. */
    public int count() {
        return count;
    }

    /** Returns the distinct ids; the first {@link #count()} are in use. The array itself, no copy. */
    public long[] ids() {
        return ids;
    }

    /**
     * Returns row-major values, {@code table().dimension()} floats a row; the first {@code count()} rows are in use.
     * The array itself, no copy.
     */
    public float[] values() {
        return values;
    }

    /**
     * Returns the gradient of the loss with respect to {@link #values()}, in the same order; sessions add to it. The
     * array itself, no copy.
     */
    public float[] gradients() {
        return gradients;
    }

    /**
     * Returns the row that holds the embedding of a record's id.
     *
     * @param record from 0 to the batch's size (exclusive)
     * @param column from 0 to the table's columns (exclusive)
     * @return a row from 0 to {@link #count()} (exclusive); -1 when the record has no id in that column
     */
    public int row(int record, int column) {
        return places[record * table.columns() + column];
    }

    /**
     * Returns the value of {@link #row} for each record and column, row-major, {@code table().columns()} per record.
     * The array itself, no copy.
     */
    public int[] rows() {
        return places;
    }

    /** Sets the gradients of the rows in use to 0. */
    public void clearGradients() {
        Arrays.fill(gradients, 0, count * table.dimension(), 0f);
    }

    /**
     * Writes the initial values of the rows. They equal those of the parameter servers in a training with this seed.
     */
    public void initialize(long trainingSeed) {
        long seed = Initializer.seed(trainingSeed, table.name());
        for (int row = 0; row < count; row++) {
            table.initializer().fill(values, row * table.dimension(), table.dimension(), seed, ids[row]);
        }
    }

    /** Collects the distinct ids of a batch. */
    void gather(Batch batch) {
        Arrays.fill(buckets, 0);
        count = 0;
        int columns = table.columns();
        long[] from = batch.ids();
        for (int record = 0; record < batch.size(); record++) {
            int at = record * batch.idWidth() + table.firstColumn();
            for (int column = 0; column < columns; column++) {
                long id = from[at + column];
                places[record * columns + column] = id < 0 ? -1 : place(id);
            }
        }
        clearGradients();
    }

    private int place(long id) {
        int mask = buckets.length - 1;
        int bucket = (int) SplitMixHash.mix(id) & mask;
        while (buckets[bucket] != 0) {
            int row = buckets[bucket] - 1;
            if (ids[row] == id) {
                return row;
            }
            bucket = (bucket + 1) & mask;
        }
        ids[count] = id;
        buckets[bucket] = count + 1;
        return count++;
    }

    /** Returns, for example, {@code 130 rows of fm/vectors[*, 8] of ids 0..25}. */
    @Override
    public String toString() {
        return count + " rows of " + table;
    }
}
