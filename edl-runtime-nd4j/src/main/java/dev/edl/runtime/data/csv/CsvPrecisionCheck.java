package dev.edl.runtime.data.csv;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the columns of a table whose cells are different numbers but the same 32-bit float.
 *
 * <p>It remembers the last cell of some hundred floats for each column, so it can miss a pair that is far apart.
 *
 * <p>A pair of whole numbers is always reported. Other pairs count as rounding if they differ by less than 1e-12 of
 * their size, and as chance if they are rare; such pairs are not reported.
 */
final class CsvPrecisionCheck {
    private static final int MOST_SLOTS = 1024;
    private static final int LEAST_SLOTS = 16;
    private static final int ALL_SLOTS = 1 << 16;
    private static final double ROUNDING = 1e-12;
    /** Pairs of a column are rare if their number is below that of the rows divided by this, 5 percent of the rows. */
    private static final int RARE = 20;

    private static final Pattern WHOLE = Pattern.compile("[+-]?\\d+");

    private final Column[] columns;
    private final int slots;

    /** Text of a cell, and the float that the text becomes. */
    private record Cell(long line, String text, float value) {}

    private static final class Column {
        private final @Nullable Cell[] seen;
        private @Nullable Cell first;
        private @Nullable CsvProblem found;
        private boolean whole;
        private boolean varies;
        private long pairs;

        private Column(int slots) {
            this.seen = new Cell[slots];
        }
    }

    CsvPrecisionCheck(int columns) {
        this.columns = new Column[columns];
        this.slots = Math.max(LEAST_SLOTS, Math.min(MOST_SLOTS, ALL_SLOTS / columns));
        for (int i = 0; i < columns; i++) {
            this.columns[i] = new Column(slots);
        }
    }

    /**
     * Adds a cell.
     *
     * @param index index of the cell's column, from 0
     * @param value float that the cell's text becomes
     */
    void add(int index, String name, long line, String cell, float value) {
        Column column = columns[index];
        Cell first = column.first == null ? new Cell(line, cell, value) : column.first;
        column.first = first;
        column.varies |= first.value != value;
        int slot = Math.floorMod(Float.floatToIntBits(value) * 0x9E3779B9, slots);
        Cell other = column.seen[slot];
        if (other == null || other.value != value) {
            column.seen[slot] = new Cell(line, cell, value);
            return;
        }
        String one = other.text.strip();
        String two = cell.strip();
        if (one.equals(two) || new BigDecimal(one).compareTo(new BigDecimal(two)) == 0) {
            return;
        }
        boolean whole = WHOLE.matcher(one).matches() && WHOLE.matcher(two).matches();
        double x = Double.parseDouble(one);
        double y = Double.parseDouble(two);
        if (!whole && Math.abs(x - y) <= ROUNDING * Math.max(Math.abs(x), Math.abs(y))) {
            return;
        }
        column.pairs++;
        column.whole |= whole;
        if (column.found == null) {
            column.found = new CsvProblem(
                    line,
                    index + 1,
                    name,
                    cell,
                    "becomes the 32-bit float " + plain(value) + ", as " + one + " of line " + other.line
                            + " does; subtract a common offset from the numbers of this column");
        }
    }

    /**
     * Returns the decimal digits of a large float. {@link Float#toString} is not used, because its result differs for
     * some floats from JDK 19 on.
     */
    private static String plain(float value) {
        return value == Math.rint(value) ? new BigDecimal(value).toPlainString() : Float.toString(value);
    }

    /**
     * Returns one problem for each column that loses the difference between cells.
     *
     * @param rows the number of rows
     * @throws IOException when all different cells of a column become one float
     */
    List<CsvProblem> problems(Path file, long rows) throws IOException {
        List<CsvProblem> problems = new ArrayList<>();
        for (Column column : columns) {
            CsvProblem found = column.found;
            if (found == null || !(column.whole || column.pairs * RARE >= rows)) {
                continue;
            }
            if (!column.varies) {
                throw new IOException(file + ": " + found + "; all " + rows + " rows have this float, so the column"
                        + " distinguishes no rows");
            }
            problems.add(found);
        }
        return problems;
    }
}
