package dev.edl.runtime.data.csv;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Immutable names of a file's columns; finds a column by its name in the header, or by its number from 1. */
final class CsvColumnNames {
    private static final int MOST_LISTED = 20;
    /** Names of ids and row numbers, in lower case; {@code Unnamed: 0} is pandas' name for an unnamed column. */
    private static final Pattern ID = Pattern.compile("(.*[ _.-])?(id|uuid|guid)|(id|uuid|guid)[ _.-].*|index|idx"
            + "|unnamed: \\d+(\\.\\d+)?|\\.\\.\\.\\d+|level_\\d+|_c\\d+|#|no\\.|s\\.? ?no\\.?"
            + "|(row|record|serial)[ _.-]?(no|nr|num|number|name|names|index)?\\.?");

    private static final Pattern CAMEL_CASE_ID = Pattern.compile(".*\\p{Ll}I[dD]");

    private final Path file;
    private final List<String> names;
    private final boolean header;
    private final DetectedCsvFormat guess;

    CsvColumnNames(Path file, List<String> names, boolean header, DetectedCsvFormat guess) {
        this.guess = guess;
        this.file = file;
        this.names = names;
        this.header = header;
    }

    int[] places(List<String> wanted) throws IOException {
        int[] places = new int[wanted.size()];
        for (int i = 0; i < places.length; i++) {
            places[i] = place(wanted.get(i));
        }
        return places;
    }

    private int place(String column) throws IOException {
        if (header && names.contains(column)) {
            int last = names.lastIndexOf(column);
            if (names.indexOf(column) != last) {
                throw new IOException(file + ": column \"" + column + "\": the header names two of them, "
                        + (names.indexOf(column) + 1) + " and " + (last + 1) + "; give the number of one");
            }
            return last;
        }
        if (column.matches("\\d{1,9}")) {
            int number = Integer.parseInt(column);
            if (number >= 1 && number <= names.size()) {
                return number - 1;
            }
        }
        throw unknown(column);
    }

    /** Returns the exception for a column that the file lacks. */
    IOException unknown(String column) {
        return new IOException(file + ": there is no column \"" + column + "\"; valid are 1 to " + names.size()
                + (header ? " and the names of the header: " + listed(names) : " (there is no header)")
                + guess.ofColumn(column, header));
    }

    /**
     * Returns the columns that become features: the selected columns, or all, without the columns to leave out.
     *
     * @param others columns that are not features, as labels are
     */
    int[] features(CsvSettings selection, int[] others) throws IOException {
        int[] without = places(selection.without());
        for (int i = 0; i < without.length; i++) {
            if (contains(others, without[i])) {
                throw new IOException(
                        file + ": without(\"" + selection.without().get(i)
                                + "\"): this column is selected as a label or an id, and only a feature can be left"
                                + " out");
            }
        }
        List<String> chosen = selection.features();
        int[] from = chosen != null
                ? places(chosen)
                : IntStream.range(0, names.size())
                        .filter(i -> !contains(others, i))
                        .toArray();
        return IntStream.of(from).filter(i -> !contains(without, i)).toArray();
    }

    /** Returns whether the header has the column without a name. */
    boolean isUnnamed(int column) {
        return header && names.get(column).isEmpty();
    }

    /** Returns whether the column is the last one and has no name, as a separator at the end of a line gives. */
    boolean isAtEnd(int column) {
        return column == names.size() - 1 && (!header || names.get(column).isEmpty());
    }

    /** Returns whether the header names the column as ids and row numbers are named. */
    boolean isId(int column) {
        String name = names.get(column);
        return header
                && (ID.matcher(name.toLowerCase(Locale.ROOT)).matches()
                        || CAMEL_CASE_ID.matcher(name).matches());
    }

    /** Returns the problem of a column. */
    CsvProblem problem(long line, int column, String cell, String problem) {
        return new CsvProblem(line, column + 1, header ? names.get(column) : "", cell, problem);
    }

    /** Returns the advice how to leave columns out. */
    String advice(List<Integer> columns) {
        List<String> quoted = columns.stream()
                .limit(MOST_LISTED)
                .map(column -> "\"" + reference(column) + "\"")
                .toList();
        return "without(" + String.join(", ", quoted) + (columns.size() > MOST_LISTED ? ", …" : "") + ") leaves "
                + (columns.size() == 1 ? "this column out" : "these " + columns.size() + " columns out");
    }

    /** Returns the name of a column if it is unique, otherwise its number. */
    private String reference(int column) {
        String name = names.get(column);
        String number = String.valueOf(column + 1);
        boolean unique = header && names.indexOf(name) == names.lastIndexOf(name);
        return unique && (!name.isEmpty() || names.contains(number)) ? name : number;
    }

    static String listed(List<String> names) {
        return String.join(", ", names.subList(0, Math.min(names.size(), MOST_LISTED)))
                + (names.size() > MOST_LISTED ? ", …" : "");
    }

    static boolean contains(int[] places, int place) {
        return IntStream.of(places).anyMatch(p -> p == place);
    }
}
