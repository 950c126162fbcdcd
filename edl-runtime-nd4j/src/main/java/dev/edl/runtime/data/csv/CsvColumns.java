package dev.edl.runtime.data.csv;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which columns of a CSV file become features, labels and ids of a {@link CsvDataset}.
 *
 * <pre>{@code
 * CsvColumns census = CsvColumns.create()
 *     .features("age", "hours")
 *     .hashedIds(100_000, "job", "city")
 *     .label("income", "low", "high")
 *     .missing(0);
 * }</pre>
 *
 * <p>A column is named by the header, or by its number from 1 when the header has no such name or there is none. Unless
 * {@link #features} is called, every column that is neither a label nor an id is a feature; of several files with
 * headers all have the features of the first one, in its order, wherever they stand. Each method gives a new value; one
 * is immutable.
 */
public final class CsvColumns {
    /** An id column; texts are hashed to a number of buckets, 0 for whole numbers that are taken as they are. */
    record Id(String column, long buckets) {}

    private static final CsvColumns EMPTY = new CsvColumns(null, List.of(), List.of(), List.of(), null, null, null);

    private final @Nullable List<String> features;
    private final List<String> labels;
    private final List<String> classes;
    private final List<Id> ids;
    private final @Nullable Float missing;
    private final @Nullable Character separator;
    private final @Nullable Boolean header;

    private CsvColumns(
            @Nullable List<String> features,
            List<String> labels,
            List<String> classes,
            List<Id> ids,
            @Nullable Float missing,
            @Nullable Character separator,
            @Nullable Boolean header) {
        this.features = features;
        this.labels = labels;
        this.classes = classes;
        this.ids = ids;
        this.missing = missing;
        this.separator = separator;
        this.header = header;
    }

    /** No labels, no ids, all columns features. */
    public static CsvColumns create() {
        return EMPTY;
    }

    /** The columns of numbers that become features, in this order; none at all when no name is given. */
    public CsvColumns features(String... columns) {
        return new CsvColumns(List.of(columns), labels, classes, ids, missing, separator, header);
    }

    /**
     * Columns of numbers that become labels, in this order: class indexes or values. Digits alone from 16,777,216 on are refused,
     * since a class would become another one; a value has a decimal point.
     */
    public CsvColumns labels(String... columns) {
        return new CsvColumns(features, List.of(columns), List.of(), ids, missing, separator, header);
    }

    /**
     * The one column that becomes the label.
     *
     * @param classes the texts of the column, each of which becomes its place in this list, from 0; none when the
     *     column holds numbers
     */
    public CsvColumns label(String column, String... classes) {
        if (List.of(classes).stream().distinct().count() < classes.length) {
            throw new IllegalArgumentException("label \"" + column + "\": each class must be given once, was "
                    + List.of(classes) + "; for example \"low\", \"high\"");
        }
        return new CsvColumns(features, List.of(column), List.of(classes), ids, missing, separator, header);
    }

    /** More columns that become ids: whole numbers of 64 bits; an empty one becomes -1, which stands for none. */
    public CsvColumns ids(String... columns) {
        return withIds(0, columns);
    }

    /**
     * More columns that become ids, whatever is in them: the text, without space at its ends, is hashed together with
     * the column's place among all id columns, so that the same text in two columns gets two ids. An empty one becomes
     * -1, which stands for none. The hash is 64-bit FNV-1a over the place (4 bytes, the lowest first) and the UTF-8
     * text, then MurmurHash3's {@code fmix64}, then the remainder by {@code buckets}, unsigned; it never changes.
     *
     * @param buckets ids are from 0 to this (exclusive); at least 1
     */
    public CsvColumns hashedIds(long buckets, String... columns) {
        if (buckets < 1) {
            throw new IllegalArgumentException("ids need at least 1 bucket, for example 1000000, was " + buckets);
        }
        return withIds(buckets, columns);
    }

    /** What an empty feature is; without this it is an error. */
    public CsvColumns missing(float value) {
        if (!Float.isFinite(value)) {
            throw new IllegalArgumentException(
                    "what is missing must become a finite number, for example 0, was " + value);
        }
        return new CsvColumns(features, labels, classes, ids, value, separator, header);
    }

    /** What stands between two fields: a comma, a semicolon or a tab; found in the first line unless told. */
    public CsvColumns separator(char character) {
        if (",;\t".indexOf(character) < 0) {
            throw new IllegalArgumentException(
                    "the separator must be a comma, a semicolon or a tab, was \"" + character + "\"");
        }
        return new CsvColumns(features, labels, classes, ids, missing, character, header);
    }

    /** Whether the first line of each file names the columns; it does when none of its fields is a number, unless told. */
    public CsvColumns header(boolean present) {
        return new CsvColumns(features, labels, classes, ids, missing, separator, present);
    }

    @Nullable
    List<String> featureColumns() {
        return features;
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

    @Nullable
    Character separator() {
        return separator;
    }

    @Nullable
    Boolean header() {
        return header;
    }

    private CsvColumns withIds(long buckets, String... columns) {
        List<Id> more = new ArrayList<>(ids);
        Arrays.stream(columns).map(column -> new Id(column, buckets)).forEach(more::add);
        return new CsvColumns(features, labels, classes, List.copyOf(more), missing, separator, header);
    }

    /** For example {@code CsvColumns[features [age, hours], labels [income], ids [job, city]]}. */
    @Override
    public String toString() {
        return "CsvColumns[features " + (features == null ? "all others" : features) + ", labels " + labels + ", ids "
                + ids.stream().map(Id::column).toList() + "]";
    }
}
