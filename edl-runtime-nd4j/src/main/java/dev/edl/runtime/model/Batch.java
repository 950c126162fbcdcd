package dev.edl.runtime.model;

import java.nio.FloatBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Batch of decoded records: one row of features, labels and ids each, in flat arrays that are reused.
 *
 * <p>A reader appends records with {@link #row()}; a model reads the arrays directly. Not safe for several threads. For
 * a classifier the label row holds one float, the class index. A model looks up ids in its {@link EmbeddingTable}s;
 * most models have none.
 */
public final class Batch {
    /** Marks, in {@code lent}, a row whose features are in this batch's {@code features} array. */
    private static final float[] OWN = {};

    private final int capacity;
    private final int featureWidth;
    private final int labelWidth;
    /**
     * Features of all rows, once the lent ones are copied; allocated at first use, because a batch of lent features may
     * never need it.
     */
    private float @Nullable [] features;

    /**
     * For each row, the array that holds its features, or {@link #OWN}; {@code lentFrom} has the index of the row's
     * first feature in that array.
     */
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
     * Creates an empty batch.
     *
     * @param capacity maximum number of records
     * @param featureWidth floats of features in one record
     * @param labelWidth floats of labels in one record; 0 for records without labels
     */
    public Batch(int capacity, int featureWidth, int labelWidth) {
        this(capacity, featureWidth, labelWidth, 0, List.of());
    }

    /**
     * Creates an empty batch of records with ids.
     *
     * @param idWidth ids in one record; 0 for records without ids
     * @param tables embedding tables for the ids; their columns must be within {@code idWidth}
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
                        "a batch of " + idWidth + " ids per record has no columns for the table " + table);
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

    /**
     * Returns an empty batch with the widths and embedding tables of a model.
     *
     * @param capacity maximum number of records
     */
    public static Batch of(Model model, int capacity) {
        return new Batch(capacity, model.features(), model.labels(), model.ids(), model.embeddings());
    }

    /** Returns the maximum number of records in this batch. */
    public int capacity() {
        return capacity;
    }

    /** Returns the current number of records. */
    public int size() {
        return size;
    }

    /** Returns the number of feature floats in one record. */
    public int featureWidth() {
        return featureWidth;
    }

    /** Returns the number of label floats in one record. */
    public int labelWidth() {
        return labelWidth;
    }

    /**
     * Returns the row-major features; the first {@code size() * featureWidth()} floats are in use. The array itself, no
     * copy.
     */
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
     * Copies the features of all records, row-major, to the buffer's position and advances the position.
     *
     * <p>For native memory this is cheaper than {@link #features()}: {@linkplain #row(float[], int) lent} records are
     * copied once.
     *
     * @throws java.nio.BufferOverflowException when less than {@code size() * featureWidth()} floats remain
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

    /**
     * Returns the row-major labels; the first {@code size() * labelWidth()} floats are in use. The array itself, no
     * copy.
     */
    public float[] labels() {
        return labels;
    }

    /** Returns the number of ids in one record. */
    public int idWidth() {
        return idWidth;
    }

    /**
     * Returns the row-major ids; the first {@code size() * idWidth()} are in use. A negative value means that the
     * record has no id in that column. The array itself, no copy.
     */
    public long[] ids() {
        return ids;
    }

    /** Returns the rows of each embedding table that this batch needs, in the order of the model's tables. */
    public List<EmbeddingRows> tables() {
        return tables;
    }

    /** Returns the rows of one embedding table that this batch needs, by the table's index in the model. */
    public EmbeddingRows rows(int table) {
        return tables.get(table);
    }

    /**
     * Collects the distinct ids of the batch for each embedding table, and sets the gradients of the tables' rows to 0.
     * Returns this batch.
     */
    public Batch gather() {
        for (int i = 0; i < tables.size(); i++) {
            tables.get(i).gather(this);
        }
        return this;
    }

    /** Sets the gradients of all embedding rows to 0, as sessions require before they compute. */
    public void clearRowGradients() {
        for (int i = 0; i < tables.size(); i++) {
            tables.get(i).clearGradients();
        }
    }

    /**
     * Returns the seed from which sessions draw random numbers, such as for dropout; 0 when none was set.
     *
     * <p>Every attempt at a minibatch has the same seed; different minibatches of a training have different seeds.
     */
    public long seed() {
        return seed;
    }

    /** Sets the seed from which sessions draw random numbers, see {@link #seed()}. Returns this batch. */
    public Batch seed(long newSeed) {
        seed = newSeed;
        return this;
    }

    /** Returns the source of the records, for messages: {@code train-00000[128..192)}; empty when none was set. */
    public String origin() {
        return origin;
    }

    /**
     * Returns the class index of a record: its first label, checked.
     *
     * @param row from 0 (inclusive) to {@link #size()} (exclusive)
     * @param classes the number of classes
     * @throws IllegalArgumentException when the label is not a whole number from 0 to {@code classes - 1}; the message
     *     names the origin, the row, its record if known, and the value
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
     * Returns the position of the first feature or label that is NaN or infinite; empty when all are finite.
     *
     * <p>For example {@code feature 3 of row 5 (record 12) is NaN in the data}. The text contains the record's number
     * within its shard only if it is known.
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

    /** Removes all records, and sets the {@link #origin()} of the records that are added next. Returns this batch. */
    public Batch clear(String newOrigin) {
        size = 0;
        lending = false;
        origin = newOrigin;
        return this;
    }

    /**
     * Adds a record with unset values and returns its row.
     *
     * <p>The caller fills {@code features()} from {@code row * featureWidth()}, {@code labels()} from
     * {@code row * labelWidth()} and {@code ids()} from {@code row * idWidth()}.
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
     * Adds a record whose features are in an array that no longer changes, and returns its row.
     *
     * <p>A dataset in memory has such arrays. The features are copied at their first read. The caller fills
     * {@code labels()} and {@code ids()}.
     *
     * @param unchanging array that contains the record's features
     * @param from index of the record's first feature in the array; {@code featureWidth()} floats are read from there
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
     * Adds a copy of a record of another batch, which must have the same widths.
     *
     * @param from batch that contains the record
     * @param row row of the record in that batch
     * @param record number of the record within its shard, for messages; -1 when unknown
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

    /**
     * Adds a record of another batch as {@link #addRow} does, but copies its features only when needed. The other batch
     * must not change while this batch is in use.
     */
    public void lendRow(Batch from, int row, long record) {
        int to = addOther(from, row, record);
        float[] where = from.lent[row];
        if (from.lending && where != OWN) {
            lend(to, where, from.lentFrom[row]);
        } else {
            lend(to, from.features(), row * featureWidth);
        }
    }

    /**
     * Adds a record with the labels and ids of another batch's record, but without its features; returns the new row.
     */
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

    /** Returns, for example, {@code Batch[64 of 64 records, train-00000[128..192)]}. */
    @Override
    public String toString() {
        return "Batch[" + size + " of " + capacity + " records, " + origin + "]";
    }
}
