package dev.edl.runtime.data.csv;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Immutable selection of the columns of a CSV file that become features, labels and ids of a {@link CsvDataset}.
 *
 * <pre>{@code
 * CsvColumns census = CsvColumns.create()
 *     .features("age", "hours")
 *     .hashedIds(100_000, "job", "city")
 *     .label("income", "low", "high")
 *     .missing(0);
 * }</pre>
 *
 * <p>A column is given by its name in the header, or by its number from 1 if the header has no such name or is missing.
 * Without {@link #features}, every column that is neither a label nor an id is a feature, unless {@link #without}
 * leaves it out. Files with headers then all have the features of the first file, in its order. Each method returns a
 * new value.
 *
 * <p>A cell is missing if it is blank, NaN, {@code ?} or one of {@code NA}, {@code N/A}, {@code n/a}, {@code <NA>},
 * {@code #NA}, {@code #N/A}, {@code #N/A N/A}, {@code NULL}, {@code null}, {@code None}, {@code 1.#IND},
 * {@code -1.#IND}, {@code 1.#QNAN} and {@code -1.#QNAN}. These are the missing values of pandas, R and Weka.
 */
public final class CsvColumns {
    /**
     * Column that becomes an id.
     *
     * @param buckets number of ids to which texts are hashed; 0 for whole numbers that are used unchanged
     */
    record Id(String column, long buckets) {}

    private static final CsvColumns EMPTY = new CsvColumns(CsvSettings.DEFAULT, List.of(), List.of(), List.of(), null);

    private final CsvSettings settings;
    private final List<String> labels;
    private final List<String> classes;
    private final List<Id> ids;
    private final @Nullable Float missing;

    private CsvColumns(
            CsvSettings settings, List<String> labels, List<String> classes, List<Id> ids, @Nullable Float missing) {
        this.settings = settings;
        this.labels = labels;
        this.classes = classes;
        this.ids = ids;
        this.missing = missing;
    }

    private CsvColumns with(CsvSettings changed) {
        return new CsvColumns(changed, labels, classes, ids, missing);
    }

    /** Returns a selection without labels and ids, so that all columns are features. */
    public static CsvColumns create() {
        return EMPTY;
    }

    /** Sets the numeric columns that become features, in this order; without names, no column becomes a feature. */
    public CsvColumns features(String... columns) {
        return with(settings.features(columns));
    }

    /** Sets columns that become no features, such as row numbers; their cells may have any text. Default: none. */
    public CsvColumns without(String... columns) {
        return with(settings.without(columns));
    }

    /**
     * Sets the numeric columns that become labels, in this order: class indexes or values.
     *
     * <p>Integers from 16,777,216 on are rejected, because a float would turn a class into another one; write a larger
     * value that is not a class with a decimal point.
     */
    public CsvColumns labels(String... columns) {
        return new CsvColumns(settings, List.of(columns), List.of(), ids, missing);
    }

    /**
     * Sets the only label column.
     *
     * @param classes texts that the column may contain; each text becomes its index in this list, from 0; empty if the
     *     column contains numbers
     */
    public CsvColumns label(String column, String... classes) {
        if (List.of(classes).stream().distinct().count() < classes.length) {
            throw new IllegalArgumentException("label \"" + column + "\": each class must be given once, was "
                    + List.of(classes) + "; for example \"low\", \"high\"");
        }
        return new CsvColumns(settings, List.of(column), List.of(classes), ids, missing);
    }

    /**
     * Adds columns that become ids: 64-bit whole numbers, including {@code 3.0}; a missing cell becomes -1, which means
     * none.
     */
    public CsvColumns ids(String... columns) {
        return withIds(0, columns);
    }

    /**
     * Adds columns of any text that become hashed ids; a missing cell becomes -1, which means none.
     *
     * <p>The text, without space at its ends, is hashed with the column's index among all id columns, so the same text
     * in two columns gets two ids. The hash is 64-bit FNV-1a over the index (4 bytes, little-endian) and the UTF-8
     * text, then MurmurHash3's {@code fmix64}, then the remainder by {@code buckets}, unsigned. It never changes.
     *
     * @param buckets number of ids of each column, at least 1; ids are from 0 to this number (exclusive)
     */
    public CsvColumns hashedIds(long buckets, String... columns) {
        if (buckets < 1) {
            throw new IllegalArgumentException("ids need at least 1 bucket, for example 1000000, was " + buckets);
        }
        return withIds(buckets, columns);
    }

    /** Sets the feature value of a missing cell. By default, a missing cell in a feature column is an error. */
    public CsvColumns missing(float value) {
        if (!Float.isFinite(value)) {
            throw new IllegalArgumentException(
                    "the value of a missing feature must be finite, for example 0, was " + value);
        }
        return new CsvColumns(settings, labels, classes, ids, value);
    }

    /**
     * Sets words that are values although they usually stand for a missing one, such as {@code NA} in a column of
     * countries. The classes of {@link #label} need no such setting.
     *
     * @param words from the list of missing values in the class comment; none by default
     */
    public CsvColumns notMissing(String... words) {
        return with(settings.notMissing(words));
    }

    /** Sets the field separator: a comma, a semicolon or a tab. By default it is detected in the first line. */
    public CsvColumns separator(char character) {
        return with(settings.separator(character));
    }

    /**
     * Sets whether the first line of each file names the columns. By default, the first line counts as a header if none
     * of its fields is a number.
     */
    public CsvColumns header(boolean present) {
        return with(settings.header(present));
    }

    CsvSettings settings() {
        return settings;
    }

    List<String> labelColumns() {
        return labels;
    }

    List<String> classes() {
        return classes;
    }

    List<Id> idColumns() {
        return ids;
    }

    @Nullable
    Float missing() {
        return missing;
    }

    private CsvColumns withIds(long buckets, String... columns) {
        List<Id> more = new ArrayList<>(ids);
        Arrays.stream(columns).map(column -> new Id(column, buckets)).forEach(more::add);
        return new CsvColumns(settings, labels, classes, List.copyOf(more), missing);
    }

    /** Returns, for example, {@code CsvColumns[features [age, hours], labels [income], ids [job, city]]}. */
    @Override
    public String toString() {
        return "CsvColumns[features " + settings + ", labels " + labels + ", ids "
                + ids.stream().map(Id::column).toList() + settings.missing() + "]";
    }
}
