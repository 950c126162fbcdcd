package dev.edl.runtime.data.csv;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import java.io.EOFException;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Immutable reader of a CSV file of numbers and classes; each setting returns a new reader.
 *
 * <p>It accepts:
 *
 * <ul>
 *   <li>UTF-8 with or without a byte order mark, also as a gzip file;
 *   <li>lines that end in LF, CRLF or CR; it skips blank lines;
 *   <li>fields in double quotes.
 * </ul>
 *
 * <p>The separator is detected in the first line: a tab if there is one outside quotes, otherwise a semicolon,
 * otherwise the comma. The first line is a header if none of its fields is a number. Settings override both.
 *
 * <p>Features are decimal numbers that are finite as 32-bit floats. Labels are 64-bit whole numbers, including
 * {@code 3.0}, or texts if none of them is a number. A row with a missing cell is bad; {@link CsvColumns} lists the
 * words for it. Doubts about a table are in {@link CsvTable#problems()}. A column whose different cells all become one
 * float is rejected.
 */
public final class CsvTableReader {
    static final CsvTableReader DEFAULT = new CsvTableReader(CsvSettings.DEFAULT, "last", false, null, null);

    private final CsvSettings settings;
    private final String label;
    private final boolean skipBadRows;
    private final CsvLabels.@Nullable Kind labels;
    private final @Nullable CsvTable like;

    private CsvTableReader(
            CsvSettings settings,
            String label,
            boolean skipBadRows,
            CsvLabels.@Nullable Kind labels,
            @Nullable CsvTable like) {
        this.settings = settings;
        this.label = label;
        this.skipBadRows = skipBadRows;
        this.labels = labels;
        this.like = like;
    }

    private CsvTableReader with(CsvSettings changed) {
        return new CsvTableReader(changed, label, skipBadRows, labels, like);
    }

    /**
     * Sets the label column. Default: the last one.
     *
     * @param column a name of the header; or, if the header has no such name, {@code last} or a number from 1
     */
    public CsvTableReader label(String column) {
        if (column.isBlank()) {
            throw new IllegalArgumentException(
                    "the label column must not be blank, for example \"last\", \"species\" or \"5\"");
        }
        return new CsvTableReader(settings, column, skipBadRows, labels, like);
    }

    /**
     * Sets the columns that become features, in this order; other cells may have any text. Default: all except the
     * label.
     *
     * @param columns names of the header, or numbers from 1; at least one
     */
    public CsvTableReader features(String... columns) {
        if (columns.length == 0) {
            throw new IllegalArgumentException(
                    "features must name at least one column, for example features(\"length\")");
        }
        return with(settings.features(columns));
    }

    /**
     * Sets columns that are left out, for example row numbers; their cells may have any text. Default: none.
     *
     * @param columns names of the header, or numbers from 1
     */
    public CsvTableReader without(String... columns) {
        return with(settings.without(columns));
    }

    /**
     * Reads the columns and classes of another table, so that an index means the same in both, for example of test
     * data. A file without the label, such as data to predict, is read by {@link CsvDataset} with the table's features.
     *
     * <p>Features and label are found by their names, in any order. If the other table has no header, they are found by
     * their numbers, and the file must have as many columns. A row with another label is bad. The file may lack classes.
     *
     * @param table usually the training data
     */
    public CsvTableReader like(CsvTable table) {
        List<Long> numbers = LongStream.range(0, table.classes().size()).boxed().toList();
        boolean texts = table.classes().equals(numbers)
                && !table.classNames()
                        .equals(numbers.stream().map(String::valueOf).toList());
        String[] words =
                table.classNames().stream().filter(CsvMissingValues::isWord).toArray(String[]::new);
        CsvSettings same = settings.features(
                table.features().stream().map(name -> column(table, name)).toArray(String[]::new));
        if (words.length > 0) {
            same = same.notMissing(words);
        }
        if (same.header() == null && table.header() && !CsvNumberFormat.isHeader(table.features())) {
            same = same.header(true);
        }
        return new CsvTableReader(
                same,
                column(table, table.label()),
                skipBadRows,
                texts || labels == CsvLabels.Kind.TEXTS ? CsvLabels.Kind.TEXTS : CsvLabels.Kind.NUMBERS,
                table);
    }

    private static String column(CsvTable table, String name) {
        return table.header() ? name : name.substring(CsvTable.COLUMN.length());
    }

    /** Sets the field separator: a comma, a semicolon or a tab. Default: detected in the first line. */
    public CsvTableReader separator(char character) {
        return with(settings.separator(character));
    }

    /** Sets whether the first line names the columns. Default: it does if none of its fields is a number. */
    public CsvTableReader header(boolean present) {
        return with(settings.header(present));
    }

    /** Skips bad rows and lists them in {@link CsvTable#problems()}; otherwise they fail the read. */
    public CsvTableReader skipBadRows() {
        return new CsvTableReader(settings, label, true, labels, like);
    }

    /** Reads each label as the name of its class, even if it is a number: {@code 1} and {@code 1.0} are two classes. */
    public CsvTableReader textLabels() {
        return new CsvTableReader(settings, label, skipBadRows, CsvLabels.Kind.TEXTS, like);
    }

    /**
     * Reads labels of these words as class names, although they usually stand for a missing value.
     *
     * @param words for example {@code None}; words that {@link CsvColumns} lists as missing; none by default
     */
    public CsvTableReader notMissing(String... words) {
        return with(settings.notMissing(words));
    }

    /**
     * Reads a file.
     *
     * @throws BadRowsException when a row is invalid and bad rows are not skipped, or when no row is valid
     * @throws java.nio.file.NoSuchFileException when the file does not exist
     * @throws IOException when the file cannot be read, is not UTF-8 text, is empty, has no row, one column or one
     *     class, lacks the label or another named column, has two columns of one name, or violates the rules of quoting
     */
    public CsvTable read(Path file) throws IOException {
        try {
            Character given = settings.separator();
            char character = given != null ? given : CsvFormat.separator(file);
            CsvTable table = parse(file, character, labels);
            // A text is first and a number follows, so texts are mistakes here and not classes.
            return table != null
                    ? table
                    : Objects.requireNonNull(parse(file, character, CsvLabels.Kind.NUMBERS), "labels");
        } catch (CsvParseException | UncheckedIOException | ZipException | EOFException e) {
            throw CsvFormat.unreadable(file, e);
        }
    }

    /**
     * Parses the file. Returns null if {@code kind} is null, the first label is a text and a later label is a number.
     */
    private @Nullable CsvTable parse(Path file, char character, CsvLabels.@Nullable Kind kind) throws IOException {
        try (Reader in = CsvFormat.open(file);
                CsvReader<CsvRecord> records = CsvFormat.parser(in, character)) {
            CsvLabels found = new CsvLabels(kind, settings.missing(), classes());
            CsvRowCollector rows = new CsvRowCollector(file, this, character, found);
            for (CsvRecord record : records) {
                if (!CsvFormat.isEnd(file, record)) {
                    rows.add(record.getStartingLineNumber(), record.getFields());
                }
                if (found.mixed()) {
                    return null;
                }
            }
            return rows.table();
        }
    }

    CsvSettings settings() {
        return settings;
    }

    String label() {
        return label;
    }

    boolean skipsBadRows() {
        return skipBadRows;
    }

    /** Returns the table to read like; null if there is none. */
    @Nullable
    CsvTable like() {
        return like;
    }

    private List<String> classes() {
        return like == null ? List.of() : like.classNames();
    }

    /** Returns, for example, {@code CsvTableReader[label last]}. */
    @Override
    public String toString() {
        Boolean header = settings.header();
        return "CsvTableReader[label " + label
                + (settings.selectsAll() ? "" : ", features " + settings)
                + (settings.separator() == null ? "" : ", separator \"" + settings.separator() + "\"")
                + (header == null ? "" : header ? ", header" : ", no header")
                + (skipBadRows ? ", bad rows skipped" : "")
                + (labels == CsvLabels.Kind.TEXTS ? ", text labels" : "")
                + (like == null ? "" : ", classes " + classes()) + settings.missing() + "]";
    }
}
