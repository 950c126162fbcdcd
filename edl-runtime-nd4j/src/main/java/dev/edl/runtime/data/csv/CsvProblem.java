package dev.edl.runtime.data.csv;

/**
 * What is wrong with one value, or with one whole row, of a CSV file.
 *
 * @param line where the row starts, from 1
 * @param column the column, from 1; 0 when the row as a whole is wrong
 * @param name the column's name in the header; empty without a header or when the row as a whole is wrong
 * @param value the value as it stands in the file; empty when the row as a whole is wrong
 * @param problem the rule that it breaks
 */
public record CsvProblem(long line, int column, String name, String value, String problem) {
    private static final int LONGEST = 40;

    static CsvProblem ofRow(long line, String problem) {
        return new CsvProblem(line, 0, "", "", problem);
    }

    /** For example {@code line 7, column 3 (petal_length): "abc" is not a number, for example 1.5}. */
    @Override
    public String toString() {
        if (column == 0) {
            return "line " + line + ": " + problem;
        }
        return "line " + line + ", column " + column + (name.isEmpty() ? "" : " (" + name + ")") + ": \""
                + (value.length() <= LONGEST ? value : value.substring(0, LONGEST) + "…") + "\" " + problem;
    }
}
