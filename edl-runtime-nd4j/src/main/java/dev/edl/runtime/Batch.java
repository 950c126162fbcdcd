package dev.edl.runtime;

/**
 * Some records, decoded: one row of features and one row of labels each, in two flat arrays that are reused.
 *
 * <p>A reader appends records with {@link #row()}; a model reads the arrays directly. Not safe for several threads.
 * For a classifier the label row holds one float, the class index.
 */
public final class Batch {
    private final int capacity;
    private final int featureWidth;
    private final int labelWidth;
    private final float[] features;
    private final float[] labels;
    private final long[] records;
    private int size;
    private String origin = "";

    /**
     * An empty batch.
     *
     * @param capacity records that fit
     * @param featureWidth floats of features in one record
     * @param labelWidth floats of labels in one record; 0 for records without labels
     */
    public Batch(int capacity, int featureWidth, int labelWidth) {
        if (capacity < 1 || featureWidth < 1 || labelWidth < 0) {
            throw new IllegalArgumentException(
                    "a batch needs capacity >= 1, featureWidth >= 1 and labelWidth >= 0, was " + capacity + ", "
                            + featureWidth + ", " + labelWidth);
        }
        this.capacity = capacity;
        this.featureWidth = featureWidth;
        this.labelWidth = labelWidth;
        this.features = new float[Math.multiplyExact(capacity, featureWidth)];
        this.labels = new float[Math.multiplyExact(capacity, labelWidth)];
        this.records = new long[capacity];
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
     * {@code labels()} from {@code row * labelWidth()}.
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
        if (from.featureWidth != featureWidth || from.labelWidth != labelWidth) {
            throw new IllegalArgumentException("rows of " + from.featureWidth + "+" + from.labelWidth
                    + " floats do not fit a batch of " + featureWidth + "+" + labelWidth);
        }
        if (row < 0 || row >= from.size) {
            throw new IndexOutOfBoundsException("row " + row + " of a batch of " + from.size);
        }
        int to = row();
        records[to] = record;
        System.arraycopy(from.features, row * featureWidth, features, to * featureWidth, featureWidth);
        System.arraycopy(from.labels, row * labelWidth, labels, to * labelWidth, labelWidth);
    }

    /** For example {@code Batch[64 of 64 records, train-00000[128..192)]}. */
    @Override
    public String toString() {
        return "Batch[" + size + " of " + capacity + " records, " + origin + "]";
    }
}
