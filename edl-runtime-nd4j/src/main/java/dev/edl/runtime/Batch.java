package dev.edl.runtime;

import java.util.List;

/**
 * Some records, decoded: one row of features, one of labels and one of ids each, in flat arrays that are reused.
 *
 * <p>A reader appends records with {@link #row()}; a model reads the arrays directly. Not safe for several threads.
 * For a classifier the label row holds one float, the class index. Ids are what a model looks up in its
 * {@link EmbeddingTable}s; most models have none.
 */
public final class Batch {
    private final int capacity;
    private final int featureWidth;
    private final int labelWidth;
    private final float[] features;
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
        this.features = new float[Math.multiplyExact(capacity, featureWidth)];
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
        return features;
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
     * one for each minibatch of a training; 0 when nobody said.
     */
    public long seed() {
        return seed;
    }

    /** Says what sessions draw random numbers from. */
    public Batch seed(long newSeed) {
        seed = newSeed;
        return this;
    }

    /** Where the records come from, for messages: {@code train-00000[128..192)}; empty when nobody said. */
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

    /** Removes all records and says where the next ones come from. */
    public Batch clear(String newOrigin) {
        size = 0;
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
        return size++;
    }

    /**
     * Adds a copy of another batch's record. Both must have the same widths.
     *
     * @param record its number within its shard, for messages; -1 when it is not known
     */
    public void addRow(Batch from, int row, long record) {
        if (from.featureWidth != featureWidth || from.labelWidth != labelWidth || from.idWidth != idWidth) {
            throw new IllegalArgumentException("rows of " + from.widths() + " do not fit a batch of " + widths());
        }
        if (row < 0 || row >= from.size) {
            throw new IndexOutOfBoundsException("row " + row + " of a batch of " + from.size);
        }
        int to = row();
        records[to] = record;
        System.arraycopy(from.features, row * featureWidth, features, to * featureWidth, featureWidth);
        System.arraycopy(from.labels, row * labelWidth, labels, to * labelWidth, labelWidth);
        System.arraycopy(from.ids, row * idWidth, ids, to * idWidth, idWidth);
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
