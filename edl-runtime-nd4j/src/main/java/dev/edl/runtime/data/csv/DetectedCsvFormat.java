package dev.edl.runtime.data.csv;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Properties that were detected in the first line of a file, because no setting gives them; advice for the errors that
 * a wrong detection may cause.
 *
 * @param separator the detected separator; null if it was set
 * @param header whether the first line was detected to be a header or a row
 * @param line the first line that is not blank, from 1
 * @param first its fields
 */
record DetectedCsvFormat(@Nullable Character separator, boolean header, long line, List<String> first) {
    /** Number of rows below a first line that are compared with it. */
    static final int ROWS = 5;

    /** Signs that separate fields in other files, and that no number or name of one word contains. */
    private static final Pattern UNKNOWN = Pattern.compile(".*[|:~^ ].*");

    private static String quoted(char separator) {
        return separator == '\t' ? "'\\t'" : "'" + separator + "'";
    }

    /** Returns the advice for fields that contain another separator than the detected one; empty if none does. */
    String ofSeparator(List<String> fields) {
        if (separator == null) {
            return "";
        }
        for (char other : new char[] {',', ';', '\t'}) {
            if (other != separator && fields.stream().anyMatch(field -> field.indexOf(other) >= 0)) {
                return "; the separator " + quoted(separator) + " was detected in line " + line + ", separator("
                        + quoted(other) + ") sets another";
            }
        }
        return first.size() == 1 && UNKNOWN.matcher(first.get(0).strip()).matches()
                ? "; line " + line + " has no comma, semicolon or tab, so the file has one column"
                : "";
    }

    /** Returns the advice for a file that does not fit to another, in which another separator was detected. */
    String ofOther(DetectedCsvFormat other) {
        return separator == null || other.separator == null || separator.equals(other.separator)
                ? ""
                : "; the separator " + quoted(separator) + " was detected here and " + quoted(other.separator)
                        + " there, separator(...) sets one for all files";
    }

    /** Returns the advice for a column that the first line does not name. */
    String ofColumn(String column, boolean isHeader) {
        boolean named = header && !isHeader && !column.matches("\\d+");
        return ofSeparator(first) + (named ? ofRow(line) : "");
    }

    /** Returns the advice for a bad row, which may be a header; empty if it is not the first line or was set. */
    String ofRow(long row) {
        return header && row == line ? "; if line " + line + " names the columns, set header(true)" : "";
    }

    /** Returns the advice for a header that may be a row; empty if it was set. */
    String ofHeader() {
        return header ? "; if line " + line + " is a row, set header(false)" : "";
    }

    /** Returns the advice for a first line that may be a header or a row. */
    String ofBoth() {
        return "header(true) reads line " + line + " as names, header(false) as a row";
    }

    /**
     * Returns the first column with a text in a line that was detected to be a row, above numbers in all rows; -1 if
     * there is none.
     *
     * @param rows the next rows, at most {@link #ROWS}
     */
    int textAbove(List<List<String>> rows) {
        boolean isRow = header && !rows.isEmpty() && !CsvNumberFormat.isHeader(first);
        return IntStream.range(0, isRow ? first.size() : 0)
                .filter(i -> CsvNumberFormat.isText(first.get(i)))
                .filter(i -> rows.stream().allMatch(row -> i < row.size() && CsvNumberFormat.isNumber(row.get(i))))
                .findFirst()
                .orElse(-1);
    }
}
