package dev.edl.runtime.data.csv;

/**
 * Problem of one value, or of one whole row, of a CSV file.
 *
 * @param line the line in which the row starts, from 1
 * @param column the column, from 1; 0 for a problem of the whole row
 * @param name the column's name in the header; empty without a header or for a problem of the whole row
 * @param value the value in the file; empty for a problem of the whole row
 * @param problem the rule that it violates
 */
public record CsvProblem(long line, int column, String name, String value, String problem) {
    private static final int LONGEST = 40;

    static CsvProblem ofRow(long line, String problem) {
        return new CsvProblem(line, 0, "", "", problem);
    }

    /** Returns, for example, {@code line 7, column 3 (petal_length): "abc" is not a number, for example 1.5}. */
    @Override
    public String toString() {
        if (column == 0) {
            return "line " + line + ": " + problem;
        }
        return "line " + line + ", column " + column + (name.isEmpty() ? "" : " (" + name + ")") + ": \""
                + (value.length() <= LONGEST ? value : value.substring(0, LONGEST) + "…") + "\" " + problem;
    }
}
