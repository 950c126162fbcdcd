package dev.edl.parquet;

import dev.edl.runtime.data.RecordNames;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Immutable selection of the columns of Parquet files that become features, labels and ids of a {@link ParquetDataset}.
 *
 * <pre>{@code
 * ParquetColumns clicks = ParquetColumns.create()
 *     .features("age", "hours")
 *     .list("embedding", 64)
 *     .hashedIds(100_000, "job", "city")
 *     .label("income", "low", "high")
 *     .missing(0);
 * }</pre>
 *
 * <p>Columns follow the order of the calls, separately for features, labels and ids. Other columns of the files are not
 * read. Each method returns a new value.
 *
 * <p>A value is missing if it is null, NaN, or a blank text of an id or class.
 */
public final class ParquetColumns {
    /** Use of a column. */
    enum Use {
        FEATURE,
        LABEL,
        ID
    }

    /**
     * Selected column.
     *
     * @param width how many values the list of each record has; 0 for a column without lists
     * @param buckets number of ids to which texts are hashed; 0 for numbers
     */
    record Selected(Use use, String name, int width, long buckets) {
        /** Returns how many values the column adds to a record. */
        int values() {
            return Math.max(1, width);
        }

        Stream<String> names() {
            return width == 0
                    ? Stream.of(buckets > 0 ? name + " hashed to " + buckets : name)
                    : IntStream.range(0, width).mapToObj(i -> name + "[" + i + "]");
        }
    }

    private static final ParquetColumns EMPTY = new ParquetColumns(List.of(), List.of(), null);

    private final List<Selected> columns;
    private final List<String> classes;
    private final @Nullable Float missing;

    private ParquetColumns(List<Selected> columns, List<String> classes, @Nullable Float missing) {
        this.columns = columns;
        this.classes = classes;
        this.missing = missing;
    }

    /** Returns a selection without columns. */
    public static ParquetColumns create() {
        return EMPTY;
    }

    /** Adds columns of numbers or booleans that become features; true is 1. */
    public ParquetColumns features(String... names) {
        return with(Use.FEATURE, 0, 0, names);
    }

    /**
     * Adds a column of lists of numbers, which become features.
     *
     * @param width how many numbers each list must have, at least 1
     */
    public ParquetColumns list(String name, int width) {
        if (width < 1) {
            throw new IllegalArgumentException(
                    "list \"" + name + "\" needs a width of at least 1, for example 64, was " + width);
        }
        return with(Use.FEATURE, width, 0, name);
    }

    /**
     * Adds columns of numbers or booleans that become labels: class indexes or values.
     *
     * <p>Whole numbers from 16,777,216 on are rejected, because a float would turn a class into another one.
     */
    public ParquetColumns labels(String... names) {
        if (!classes.isEmpty()) {
            throw new IllegalArgumentException(
                    "labels " + List.of(names) + ": label(...) with classes must be the only label");
        }
        return with(Use.LABEL, 0, 0, names);
    }

    /**
     * Adds the only label column.
     *
     * @param texts texts that the column may contain; each becomes its index in this list, from 0; empty if the column
     *     contains numbers
     */
    public ParquetColumns label(String name, String... texts) {
        List<String> list = List.of(texts);
        if (list.stream().distinct().count() < list.size()) {
            throw new IllegalArgumentException("label \"" + name + "\": each class must be given once, was " + list
                    + "; for example \"low\", \"high\"");
        }
        if (count(Use.LABEL) > 0) {
            throw new IllegalArgumentException(
                    "label \"" + name + "\" must be the only label; labels(...) adds several of numbers");
        }
        return new ParquetColumns(with(Use.LABEL, 0, 0, name).columns, list, missing);
    }

    /** Adds columns of whole numbers that become ids, including {@code 3.0}; a missing one becomes -1, which means none. */
    public ParquetColumns ids(String... names) {
        return with(Use.ID, 0, 0, names);
    }

    /**
     * Adds columns of texts, whole numbers or booleans that become hashed ids; a missing one becomes -1, which means
     * none.
     *
     * <p>The hash is that of {@code CsvColumns.hashedIds}, so that a CSV file with the same values gives the same ids.
     *
     * @param buckets number of ids of each column, at least 1; ids are from 0 to this number (exclusive)
     */
    public ParquetColumns hashedIds(long buckets, String... names) {
        if (buckets < 1) {
            throw new IllegalArgumentException("ids need at least 1 bucket, for example 1000000, was " + buckets);
        }
        return with(Use.ID, 0, buckets, names);
    }

    /** Sets the feature value of a missing number. By default, a missing number in a feature column is an error. */
    public ParquetColumns missing(float value) {
        if (!Float.isFinite(value)) {
            throw new IllegalArgumentException(
                    "the value of a missing feature must be finite, for example 0, was " + value);
        }
        return new ParquetColumns(columns, classes, value);
    }

    List<Selected> columns() {
        return columns;
    }

    List<String> classes() {
        return classes;
    }

    @Nullable
    Float missing() {
        return missing;
    }

    /** Returns how many values a record has for a use. */
    int count(Use use) {
        return columns.stream()
                .filter(c -> c.use() == use)
                .mapToInt(Selected::values)
                .sum();
    }

    /** Returns the names of the columns, and the classes of the label; labels without classes are numbers. */
    RecordNames recordNames() {
        return new RecordNames(
                names(Use.FEATURE),
                classes,
                names(Use.LABEL),
                names(Use.ID),
                count(Use.FEATURE) > 0 ? RecordNames.AS_READ : "",
                count(Use.LABEL) > 0 && classes.isEmpty());
    }

    private List<String> names(Use use) {
        return columns.stream()
                .filter(c -> c.use() == use)
                .flatMap(Selected::names)
                .toList();
    }

    private ParquetColumns with(Use use, int width, long buckets, String... names) {
        List<Selected> more = new ArrayList<>(columns);
        for (String name : names) {
            more.add(new Selected(use, name, width, buckets));
        }
        return new ParquetColumns(List.copyOf(more), classes, missing);
    }

    /** Returns, for example, {@code ParquetColumns[features [age, hours], labels [income], ids [user]]}. */
    @Override
    public String toString() {
        return "ParquetColumns[features " + names(Use.FEATURE) + ", labels " + names(Use.LABEL) + ", ids "
                + names(Use.ID) + "]";
    }
}
