package dev.edl.runtime.data.csv;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import dev.edl.runtime.data.BadRowsException;
import java.io.EOFException;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a CSV file of numbers and classes. Each setting gives a new reader; a reader is immutable and safe to share.
 *
 * <p>What is accepted: UTF-8 with or without a byte order mark; lines that end in LF, CRLF or CR; blank lines, which are
 * skipped; fields in double quotes; a gzip file of the same. Unless told otherwise, the separator is found in the
 * first line (a tab if there is one outside quotes, else a semicolon, else the comma), and the first line is a header
 * when none of its fields is a number. Features are decimal numbers that are finite as 32-bit floats; labels are
 * whole numbers of 64 bits, of which {@code 3.0} is one too, or texts when none of them is a number. What is doubtful about a
 * table is in {@link CsvTable#problems()}; a column whose different cells all become one float is refused.
 */
public final class CsvTableReader {
    static final CsvTableReader DEFAULT = new CsvTableReader("last", null, null, false, null);

    private final String label;
    private final @Nullable Character separator;
    private final @Nullable Boolean header;
    private final boolean skipBadRows;
    private final CsvLabels.@Nullable Kind labels;

    private CsvTableReader(
            String label,
            @Nullable Character separator,
            @Nullable Boolean header,
            boolean skipBadRows,
            CsvLabels.@Nullable Kind labels) {
        this.label = label;
        this.separator = separator;
        this.header = header;
        this.skipBadRows = skipBadRows;
        this.labels = labels;
    }

    /**
     * Which column is the label; the last one unless told otherwise.
     *
     * @param column a name of the header; or, when the header has no such name, {@code last} or a number from 1
     */
    public CsvTableReader label(String column) {
        if (column.isBlank()) {
            throw new IllegalArgumentException(
                    "the label column must not be blank, for example \"last\", \"species\" or \"5\"");
        }
        return new CsvTableReader(column, separator, header, skipBadRows, labels);
    }

    /** What stands between two fields: a comma, a semicolon or a tab. */
    public CsvTableReader separator(char character) {
        if (",;\t".indexOf(character) < 0) {
            throw new IllegalArgumentException(
                    "the separator must be a comma, a semicolon or a tab, was \"" + character + "\"");
        }
        return new CsvTableReader(label, character, header, skipBadRows, labels);
    }

    /** Whether the first line names the columns. */
    public CsvTableReader header(boolean present) {
        return new CsvTableReader(label, separator, present, skipBadRows, labels);
    }

    /** Leaves bad rows out and lists them in {@link CsvTable#problems()}, where the file would else be refused. */
    public CsvTableReader skipBadRows() {
        return new CsvTableReader(label, separator, header, true, labels);
    }

    /** Takes each label for the name of its class, also one that is a number: {@code 1} and {@code 1.0} are two classes. */
    public CsvTableReader textLabels() {
        return new CsvTableReader(label, separator, header, skipBadRows, CsvLabels.Kind.TEXTS);
    }

    /**
     * Reads a file.
     *
     * @throws BadRowsException when a row is bad and bad rows are not skipped, or when no row is good
     * @throws java.nio.file.NoSuchFileException when there is no such file
     * @throws IOException when the file cannot be read, is no UTF-8 text, is empty, has no row, one column or one class,
     *     has no such label column, or breaks the rules of quoting
     */
    public CsvTable read(Path file) throws IOException {
        try {
            char character = separator != null ? separator : CsvFormat.separator(file);
            CsvTable table = parse(file, character, labels);
            // A text comes first and a number later, so that texts are mistakes here and no classes.
            return table != null
                    ? table
                    : Objects.requireNonNull(parse(file, character, CsvLabels.Kind.NUMBERS), "labels");
        } catch (CsvParseException | UncheckedIOException | ZipException | EOFException e) {
            throw CsvFormat.unreadable(file, e);
        }
    }

    /** Reads the file; null when labels of no given kind are texts and numbers. */
    private @Nullable CsvTable parse(Path file, char character, CsvLabels.@Nullable Kind kind) throws IOException {
        try (Reader in = CsvFormat.open(file);
                CsvReader<CsvRecord> records = CsvReader.builder()
                        .fieldSeparator(character)
                        .skipEmptyLines(true)
                        .allowExtraFields(true)
                        .allowMissingFields(true)
                        .trimWhitespacesAroundQuotes(true)
                        .ofCsvRecord(in)) {
            CsvLabels found = new CsvLabels(kind);
            CsvRows rows = new CsvRows(file, character, label, header, skipBadRows, found);
            for (CsvRecord record : records) {
                rows.add(record.getStartingLineNumber(), record.getFields());
                if (found.mixed()) {
                    return null;
                }
            }
            return rows.table();
        }
    }

    /** For example {@code CsvTableReader[label last]}. */
    @Override
    public String toString() {
        return "CsvTableReader[label " + label
                + (separator == null ? "" : ", separator \"" + separator + "\"")
                + (header == null ? "" : header ? ", header" : ", no header")
                + (skipBadRows ? ", bad rows skipped" : "")
                + (labels == null ? "" : ", text labels") + "]";
    }
}
