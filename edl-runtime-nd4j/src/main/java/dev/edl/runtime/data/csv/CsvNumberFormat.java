package dev.edl.runtime.data.csv;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Grammar of numbers in a table: decimal, optionally with an exponent; no hexadecimal, no type suffix. */
final class CsvNumberFormat {
    private static final Pattern DECIMAL_COMMA = Pattern.compile("[+-]?\\d*,\\d+([eE][+-]?\\d+)?");
    private static final Pattern NUMBER = Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d{1,9})?");
    private static final Pattern WHOLE = Pattern.compile("[+-]?\\d+");
    // From here on, a float skips whole numbers.
    private static final int EXACT = 1 << 24;
    private static final String NOT_ONE = "is not a whole number; a label must be one, for example 3";
    private static final Set<String> NOT_FINITE = Set.of("nan", "inf", "infinity");
    // With more digits, converting 1e999999999 to a whole number would take all memory.
    private static final int MOST_DIGITS = 30;

    private CsvNumberFormat() {}

    /** Returns whether a cell is a finite number. */
    static boolean isNumber(String cell) {
        return NUMBER.matcher(cell.strip()).matches();
    }

    /** Returns whether a cell is a number, finite or not; a header has no such cell. */
    private static boolean looksNumeric(String cell) {
        return NUMBER.matcher(cell.strip()).matches() || isNotFinite(cell);
    }

    /** Returns whether a cell is neither a number, nor blank, nor a word for a missing value. */
    static boolean isText(String cell) {
        return !looksNumeric(cell) && !cell.isBlank() && !CsvMissingValues.isWord(cell.strip());
    }

    /**
     * Returns whether the fields of a first record name the columns: none is a number, and at least one is not blank.
     */
    static boolean isHeader(List<String> fields) {
        return fields.stream().noneMatch(CsvNumberFormat::looksNumeric)
                && fields.stream().anyMatch(field -> !field.isBlank());
    }

    /** Returns the problem of a cell in a feature column; empty when the cell is valid. */
    static String problemOfFeature(String cell) {
        String text = cell.strip();
        if (text.isEmpty()) {
            return "is empty; must be a number, for example 1.5";
        }
        if (isNotFinite(text)) {
            return "is not finite; must be a finite number, for example 1.5";
        }
        if (CsvMissingValues.isWord(text)) {
            return "is a missing value; must be a number, for example 1.5";
        }
        if (!NUMBER.matcher(text).matches()) {
            return DECIMAL_COMMA.matcher(text).matches()
                    ? "is not a number; its decimal comma must be a point, for example 1.5"
                    : "is not a number, for example 1.5";
        }
        return Float.isFinite(Float.parseFloat(text)) ? "" : "is too large; at most 3.4028235e38 fits a 32-bit float";
    }

    /**
     * Returns the problem of a cell in a label column whose labels become floats; empty when the cell is valid.
     *
     * <p>A cell of digits alone may be a class, which must not become another class by rounding. A cell with a decimal
     * point is a value.
     */
    static String problemOfFloatLabel(String cell) {
        String problem = problemOfFeature(cell);
        String text = cell.strip();
        return !problem.isEmpty() || !WHOLE.matcher(text).matches() || Math.abs(Float.parseFloat(text)) < EXACT
                ? problem
                : "is too large; a class must be less than " + EXACT
                        + ", which a 32-bit float holds exactly, and a value"
                        + " has a decimal point, for example 16777217.0";
    }

    /**
     * Returns whether the fields of a line number the columns from 0 or from 1, as some programs write instead of
     * names.
     */
    static boolean areColumnNumbers(List<String> fields) {
        String first = fields.get(0).strip();
        if (fields.size() < 3 || !(first.equals("0") || first.equals("1"))) {
            return false;
        }
        int from = first.charAt(0) - '0';
        return IntStream.range(0, fields.size())
                .allMatch(i -> fields.get(i).strip().equals(String.valueOf(from + i)));
    }

    /** Returns the problem of a cell in a column of whole-number labels; empty when the cell is valid. */
    static String problemOfLabel(String cell) {
        String text = cell.strip();
        if (text.isEmpty()) {
            return "is empty; a label must be a whole number, for example 3";
        }
        if (!NUMBER.matcher(text).matches()) {
            return NOT_ONE;
        }
        BigDecimal value = new BigDecimal(text);
        if (value.signum() != 0 && (value.stripTrailingZeros().scale() > 0)) {
            return NOT_ONE;
        }
        return value.signum() == 0 || (value.precision() - value.scale() <= MOST_DIGITS && fitsLong(value))
                ? ""
                : "is too large; a label must fit 64 bits, for example 3";
    }

    static float feature(String cell) {
        return Float.parseFloat(cell.strip());
    }

    static long label(String cell) {
        BigDecimal value = new BigDecimal(cell.strip());
        return value.signum() == 0 ? 0 : value.longValueExact();
    }

    private static boolean fitsLong(BigDecimal value) {
        return value.toBigInteger().bitLength() < Long.SIZE;
    }

    private static boolean isNotFinite(String cell) {
        String text = cell.strip().toLowerCase(Locale.ROOT);
        return NOT_FINITE.contains(text.startsWith("+") || text.startsWith("-") ? text.substring(1) : text);
    }
}
