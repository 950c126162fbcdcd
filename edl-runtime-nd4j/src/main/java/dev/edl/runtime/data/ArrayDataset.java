package dev.edl.runtime.data;

import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Immutable dataset in memory: rows of numbers with a class for each.
 *
 * <pre>{@code
 * ArrayDataset table = ArrayDataset.of(new float[][] {{5.1f, 3.5f}, {7.0f, 3.2f}}, new int[] {0, 1});
 * ArraySplit split = table.split(0.2, 42).standardized();
 * split.train().sharded(256);                    // several shards, so that several workers share the rows
 * }</pre>
 *
 * <p>Safe for several threads. One shard holds all rows unless {@link #sharded} sets a size.
 */
public final class ArrayDataset implements Dataset {
    private static final int LARGEST_LABEL = 1 << 24;

    private final String name;
    private final int width;
    private final float[] features;
    private final int[] labels;
    private final int rowsPerShard;
    private final List<DataShard> shards;
    private final RecordNames names;
    private final Map<String, Integer> firstRows = new HashMap<>();

    /** Creates a table without names from arrays that the caller no longer uses. */
    public ArrayDataset(String name, int width, float[] features, int[] labels, int rowsPerShard) {
        this(name, width, features, labels, rowsPerShard, RecordNames.UNKNOWN);
    }

    private ArrayDataset(String name, int width, float[] features, int[] labels, int rowsPerShard, RecordNames names) {
        this.name = name;
        this.names = names;
        this.width = width;
        this.features = features;
        this.labels = labels;
        this.rowsPerShard = rowsPerShard;
        List<DataShard> all = new ArrayList<>();
        for (int start = 0; start < labels.length; start += Math.min(rowsPerShard, labels.length - start)) {
            String shard = String.format(Locale.ROOT, "%s-%05d", name, all.size());
            all.add(new DataShard(shard, Math.min(rowsPerShard, labels.length - start)));
            firstRows.put(shard, start);
        }
        this.shards = List.copyOf(all);
    }

    /** Returns a table of the name {@code table}; see {@link #of(String, float[][], int[])}. */
    public static ArrayDataset of(float[][] rows, int[] labels) {
        return of("table", rows, labels);
    }

    /**
     * Returns a table of copied values.
     *
     * @param name the prefix of the shard names: {@code name-00000}
     * @param rows at least one, all of the same width, every value finite
     * @param labels the class of each row, from 0 to 16,777,216; larger integers are not exact as floats
     */
    public static ArrayDataset of(String name, float[][] rows, int[] labels) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a table's name must not be blank, for example \"train\"");
        }
        if (rows.length == 0 || rows[0].length == 0) {
            throw new IllegalArgumentException("table \"" + name + "\": must have at least one row and one feature");
        }
        if (rows.length != labels.length) {
            throw new IllegalArgumentException("table \"" + name + "\": must have one label for each row, was "
                    + labels.length + " labels and " + rows.length + " rows");
        }
        int width = rows[0].length;
        float[] features = new float[Math.multiplyExact(rows.length, width)];
        for (int row = 0; row < rows.length; row++) {
            check(name, row, rows[row], width, labels[row]);
            System.arraycopy(rows[row], 0, features, row * width, width);
        }
        return new ArrayDataset(name, width, features, labels.clone(), rows.length);
    }

    private static void check(String name, int row, float[] values, int width, int label) {
        String where = "table \"" + name + "\": row " + row;
        if (values.length != width) {
            throw new IllegalArgumentException(where + " must have " + width + " features, was " + values.length);
        }
        for (int column = 0; column < width; column++) {
            if (!Float.isFinite(values[column])) {
                throw new IllegalArgumentException(
                        where + ", column " + column + " must be finite, was " + values[column]);
            }
        }
        if (label < 0 || label > LARGEST_LABEL) {
            throw new IllegalArgumentException(
                    where + ": the label must be a class index from 0 to " + LARGEST_LABEL + ", was " + label);
        }
    }

    @Override
    public List<DataShard> shards() {
        return shards;
    }

    @Override
    public int features() {
        return width;
    }

    /** {@inheritDoc} Always 1, the class index. */
    @Override
    public int labels() {
        return 1;
    }

    @Override
    public RecordNames names() {
        return names;
    }

    /**
     * Returns the same table with names, so that data of another meaning is refused instead of misread. The label's name
     * and the scale of the features stay.
     *
     * @param features a name for each feature; empty if the names are unknown
     * @param classes a name for each class index, at least {@link #classes()}; empty if the names are unknown
     * @throws IllegalArgumentException if a list has another number of names
     */
    public ArrayDataset named(List<String> features, List<String> classes) {
        return named(new RecordNames(features, classes, names.labels(), List.of(), names.scale(), false));
    }

    /**
     * Returns the same table with names of its features, classes and label.
     *
     * @throws IllegalArgumentException if a list of features or classes has another number of names
     */
    public ArrayDataset named(RecordNames names) {
        List<String> features = names.features();
        List<String> classes = names.classes();
        if (!features.isEmpty() && features.size() != width) {
            throw new IllegalArgumentException(
                    this + " needs a name for each of its " + width + " features, was " + features);
        }
        if (!classes.isEmpty() && classes.size() < classes()) {
            throw new IllegalArgumentException(
                    this + " needs a name for each of its " + classes() + " classes, was " + classes);
        }
        return new ArrayDataset(name, width, this.features, labels, rowsPerShard, names);
    }

    /** Returns the number of rows. */
    public int rows() {
        return labels.length;
    }

    /** Returns the number of classes: the largest label plus 1. */
    public int classes() {
        return Arrays.stream(labels).max().orElse(-1) + 1;
    }

    /** Returns the class index of a row. */
    public int label(int row) {
        return labels[row];
    }

    /** Returns a copy of a row's features. */
    public float[] row(int row) {
        return Arrays.copyOfRange(features, row * width, (row + 1) * width);
    }

    @Override
    public void read(String shard, long start, long end, Batch into) throws IOException {
        Integer first = firstRows.get(shard);
        if (first == null) {
            throw new IllegalArgumentException(
                    "there is no shard \"" + shard + "\" in " + this + "; shards() has the valid names");
        }
        int records = Math.min(rowsPerShard, rows() - first);
        if (start < 0 || end < start || end > records) {
            throw new IndexOutOfBoundsException("shard \"" + shard + "\": range [" + start + ", " + end
                    + ") is outside its " + records + " records");
        }
        BatchCapacityCheck.check(this, shard, end - start, into);
        for (int row = first + (int) start; row < first + (int) end; row++) {
            into.labels()[into.row(features, row * width)] = labels[row];
        }
    }

    /**
     * Returns a table of the same rows, divided into shards of a given size.
     *
     * @param rows number of rows in a shard, at least 1; the last shard may have fewer
     */
    public ArrayDataset sharded(int rows) {
        if (rows < 1) {
            throw new IllegalArgumentException("a shard must have at least 1 row, for example 256, was " + rows);
        }
        return new ArrayDataset(name, width, features, labels, rows, names);
    }

    /**
     * Splits the rows of each class between training and testing.
     *
     * <p>Both parts contain each class that has at least two rows; the only row of a class goes to the training part.
     *
     * @param testFraction share of each class's rows that are for testing, between 0 and 1, both exclusive; rounded for
     *     each class
     * @param seed the same seed gives the same parts on every machine; it also shuffles both parts
     * @throws IllegalArgumentException when no class has two rows, so the test part would be empty
     */
    public ArraySplit split(double testFraction, long seed) {
        return StratifiedSplit.of(this, testFraction, seed);
    }

    /** Returns a table of the rows with these indexes, in that order; the suffix is appended to the table's name. */
    ArrayDataset select(String suffix, int[] rows) {
        float[] chosen = new float[rows.length * width];
        int[] chosenLabels = new int[rows.length];
        for (int i = 0; i < rows.length; i++) {
            System.arraycopy(features, rows[i] * width, chosen, i * width, width);
            chosenLabels[i] = labels[rows[i]];
        }
        return new ArrayDataset(name + suffix, width, chosen, chosenLabels, rows.length, names);
    }

    /** Returns the same rows and shards with other features; the array is not copied. */
    ArrayDataset withFeatures(float[] replaced) {
        return new ArrayDataset(name, width, replaced, labels, rowsPerShard, names);
    }

    /** Returns the row-major features; the array itself, not to be written. */
    float[] values() {
        return features;
    }

    /** Returns, for example, {@code ArrayDataset[iris: 150 rows, 4 features, 3 classes]}. */
    @Override
    public String toString() {
        return "ArrayDataset[" + name + ": " + rows() + " rows, " + width + " features, " + classes() + " classes]";
    }
}
