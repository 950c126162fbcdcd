package dev.edl.runtime;

import java.nio.FloatBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Some records, decoded: one row of features, one of labels and one of ids each, in flat arrays that are reused.
 *
 * <p>A reader appends records with {@link #row()}; a model reads the arrays directly. Not safe for several threads.
 * For a classifier the label row holds one float, the class index. Ids are what a model looks up in its
 * {@link EmbeddingTable}s; most models have none.
 */
public final class Batch {
    /** Stands for features that are the batch's own. */
    private static final float[] OWN = {};

    private final int capacity;
    private final int featureWidth;
    private final int labelWidth;
    /** Made when it is first asked for: features that lie elsewhere may never need it. */
    private float @Nullable [] features;

    /** By row, the array that its features lie in when it is not {@link #features}, and from which index on. */
    private final float[][] lent;

    private final int[] lentFrom;
    private boolean lending;
    private final float[] labels;
    private final int idWidth;
    private final long[] ids;
    private final long[] records;
    private final List<EmbeddingRows> tables;
    private int size;
    private String origin = "";
    private long seed;

    /**
     * An empty batch.
     *
     * @param capacity records that fit
     * @param featureWidth floats of features in one record
     * @param labelWidth floats of labels in one record; 0 for records without labels
     */
    public Batch(int capacity, int featureWidth, int labelWidth) {
        this(capacity, featureWidth, labelWidth, 0, List.of());
    }

    /**
     * An empty batch of records that carry ids.
     *
     * @param idWidth ids in one record; 0 for records without ids
     * @param tables what the ids are looked up in; their columns must be within {@code idWidth}
     */
    public Batch(int capacity, int featureWidth, int labelWidth, int idWidth, List<EmbeddingTable> tables) {
        if (capacity < 1 || featureWidth < 0 || labelWidth < 0 || idWidth < 0 || featureWidth + idWidth < 1) {
            throw new IllegalArgumentException("a batch needs capacity >= 1, featureWidth >= 0, labelWidth >= 0,"
                    + " idWidth >= 0, and features or ids; was " + capacity + ", " + featureWidth + ", " + labelWidth
                    + ", " + idWidth);
        }
        for (EmbeddingTable table : tables) {
            if (table.firstColumn() + table.columns() > idWidth) {
                throw new IllegalArgumentException(
                        "a batch of " + idWidth + " ids a record has no columns for the table " + table);
            }
        }
        this.capacity = capacity;
        this.featureWidth = featureWidth;
        this.labelWidth = labelWidth;
        this.idWidth = idWidth;
        Math.multiplyExact(capacity, featureWidth);
        this.lent = new float[capacity][];
        this.lentFrom = new int[capacity];
        this.labels = new float[Math.multiplyExact(capacity, labelWidth)];
        this.ids = new long[Math.multiplyExact(capacity, idWidth)];
        this.records = new long[capacity];
        this.tables =
                tables.stream().map(table -> new EmbeddingRows(table, capacity)).toList();
    }

    /** An empty batch for the sessions of a model: its widths, and room for the rows of its embedding tables. */
    public static Batch of(Model model, int capacity) {
        return new Batch(capacity, model.features(), model.labels(), model.ids(), model.embeddings());
    }

    /** Records that fit. */
    public int capacity() {
        return capacity;
    }

    /** Records that are in it. */
    public int size() {
        return size;
    }

    /** Floats of features in one record. */
    public int featureWidth() {
        return featureWidth;
    }

    /** Floats of labels in one record. */
    public int labelWidth() {
        return labelWidth;
    }

    /** Row-major features; the first {@code size() * featureWidth()} floats are in use. The array itself, no copy. */
    public float[] features() {
        float[] own = own();
        if (lending) {
            lending = false;
            for (int row = 0; row < size; row++) {
                float[] from = lent[row];
                if (from != OWN) {
                    System.arraycopy(from, lentFrom[row], own, row * featureWidth, featureWidth);
                    lent[row] = OWN;
                }
            }
        }
        return own;
    }

    private float[] own() {
        float[] own = features;
        if (own == null) {
            own = new float[capacity * featureWidth];
            features = own;
        }
        return own;
    }

    /**
     * Copies the features of all records, row-major, to where the buffer stands, and moves it behind them. For native
     * memory this is cheaper than {@link #features()}, because records that were {@linkplain #row(float[], int) lent} go
     * there straight.
     *
     * @throws java.nio.BufferOverflowException when there is no room for {@code size() * featureWidth()} floats
     */
    public void copyFeatures(FloatBuffer into) {
        if (!lending) {
            into.put(features(), 0, size * featureWidth);
            return;
        }
        for (int row = 0; row < size; row++) {
            float[] from = lent[row];
            if (from == OWN) {
                into.put(own(), row * featureWidth, featureWidth);
            } else {
                into.put(from, lentFrom[row], featureWidth);
            }
        }
    }

    /** Row-major labels; the first {@code size() * labelWidth()} floats are in use. The array itself, no copy. */
    public float[] labels() {
        return labels;
    }

    /** Ids in one record. */
    public int idWidth() {
        return idWidth;
    }

    /**
     * Row-major ids; the first {@code size() * idWidth()} are in use. A negative one stands for none. The array itself,
     * no copy.
     */
    public long[] ids() {
        return ids;
    }

    /** The rows that the batch needs of each embedding table, in the order of the model's tables. */
    public List<EmbeddingRows> tables() {
        return tables;
    }

    /** The rows that the batch needs of one embedding table, by its place among the model's tables. */
    public EmbeddingRows rows(int table) {
        return tables.get(table);
    }

    /** Collects the distinct ids of the batch for each table, and sets the gradients of their rows to 0. */
    public Batch gather() {
        for (int i = 0; i < tables.size(); i++) {
            tables.get(i).gather(this);
        }
        return this;
    }

    /** Sets the gradients of all rows to 0, as they must be when a session computes. */
    public void clearRowGradients() {
        for (int i = 0; i < tables.size(); i++) {
            tables.get(i).clearGradients();
        }
    }

    /**
     * What a session draws random numbers from, as dropout does: the same at every try of the same minibatch, another
     * one for each minibatch of a training; 0 when none was set.
     */
    public long seed() {
        return seed;
    }

    /** Says what sessions draw random numbers from. */
    public Batch seed(long newSeed) {
        seed = newSeed;
        return this;
    }

    /** Where the records come from, for messages: {@code train-00000[128..192)}; empty when none was set. */
    public String origin() {
        return origin;
    }

    /**
     * The class index of a record: its first label, checked.
     *
     * @param row from 0 (inclusive) to {@link #size()} (exclusive)
     * @param classes how many classes there are
     * @throws IllegalArgumentException when the label is not a whole number from 0 to {@code classes - 1}; the message
     *     names the origin, the row, its record where that is known, and the value
     */
    public int classLabel(int row, int classes) {
        float label = labels[row * labelWidth];
        int index = (int) label;
        if (index != label || index < 0 || index >= classes) {
            throw new IllegalArgumentException((origin.isEmpty() ? "batch" : "batch " + origin) + ", row " + row
                    + (records[row] < 0 ? "" : " (record " + records[row] + ")")
                    + ": the label must be a whole number from 0 to " + (classes - 1) + ", was " + label);
        }
        return index;
    }

    /**
     * Returns where the first feature or label stands that is NaN or infinite, for example {@code feature 3 of row 5 (record 12)
     * is NaN in the data}; the record is its number within its shard, where that is known. Empty when all are finite.
     */
    public Optional<String> notFinite() {
        return notFinite("feature", features(), featureWidth).or(() -> notFinite("label", labels, labelWidth));
    }

    private Optional<String> notFinite(String what, float[] values, int width) {
        for (int i = 0; i < size * width; i++) {
            if (!Float.isFinite(values[i])) {
                int row = i / width;
                return Optional.of(what + " " + i % width + " of row " + row
                        + (records[row] < 0 ? "" : " (record " + records[row] + ")") + " is " + values[i]
                        + " in the data");
            }
        }
        return Optional.empty();
    }

    /** Removes all records and says where the next ones come from. */
    public Batch clear(String newOrigin) {
        size = 0;
        lending = false;
        origin = newOrigin;
        return this;
    }

    /**
     * Adds a record and returns its row; the caller fills {@code features()} from {@code row * featureWidth()} and
     * {@code labels()} from {@code row * labelWidth()}, and {@code ids()} from {@code row * idWidth()}.
     *
     * @throws IllegalStateException when the batch is full
     */
    public int row() {
        if (size == capacity) {
            throw new IllegalStateException("the batch is full: capacity " + capacity);
        }
        records[size] = -1;
        lent[size] = OWN;
        return size++;
    }

    /**
     * Adds a record whose features lie in an array that is changed no more, as a dataset in memory has them, and
     * returns its row; they are copied at the first read, and not before. The caller fills {@code labels()} and
     * {@code ids()}.
     *
     * @param from the index of its first feature; {@code featureWidth()} of them are read
     * @throws IllegalStateException when the batch is full
     */
    public int row(float[] unchanging, int from) {
        Objects.checkFromIndexSize(from, featureWidth, unchanging.length);
        int row = row();
        lend(row, unchanging, from);
        return row;
    }

    private void lend(int row, float[] unchanging, int from) {
        lent[row] = unchanging;
        lentFrom[row] = from;
        lending = true;
    }

    /**
     * Adds a copy of another batch's record. Both must have the same widths.
     *
     * @param record its number within its shard, for messages; -1 when it is not known
     */
    public void addRow(Batch from, int row, long record) {
        int to = addOther(from, row, record);
        float[] where = from.lent[row];
        if (from.lending && where != OWN) {
            lend(to, where, from.lentFrom[row]);
        } else {
            System.arraycopy(from.features(), row * featureWidth, features(), to * featureWidth, featureWidth);
        }
    }

    /** As {@link #addRow}, of a batch that is not changed as long as this one is used: features are copied when needed. */
    public void lendRow(Batch from, int row, long record) {
        int to = addOther(from, row, record);
        float[] where = from.lent[row];
        if (from.lending && where != OWN) {
            lend(to, where, from.lentFrom[row]);
        } else {
            lend(to, from.features(), row * featureWidth);
        }
    }

    /** Adds a record but for its features; its row. */
    private int addOther(Batch from, int row, long record) {
        if (from.featureWidth != featureWidth || from.labelWidth != labelWidth || from.idWidth != idWidth) {
            throw new IllegalArgumentException("rows of " + from.widths() + " do not fit a batch of " + widths());
        }
        if (row < 0 || row >= from.size) {
            throw new IndexOutOfBoundsException("row " + row + " of a batch of " + from.size);
        }
        int to = row();
        records[to] = record;
        System.arraycopy(from.labels, row * labelWidth, labels, to * labelWidth, labelWidth);
        System.arraycopy(from.ids, row * idWidth, ids, to * idWidth, idWidth);
        return to;
    }

    private String widths() {
        return featureWidth + "+" + labelWidth + " floats" + (idWidth == 0 ? "" : " and " + idWidth + " ids");
    }

    /** For example {@code Batch[64 of 64 records, train-00000[128..192)]}. */
    @Override
    public String toString() {
        return "Batch[" + size + " of " + capacity + " records, " + origin + "]";
    }
}
