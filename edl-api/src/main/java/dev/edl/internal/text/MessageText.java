package dev.edl.internal.text;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Formats values for messages and for the text of a job. */
public final class MessageText {
    private static final int LONGEST_QUOTE = 80;
    private static final int MOST_DIGITS = 17;

    private MessageText() {}

    /** Returns a value in quotes, truncated to 80 characters. */
    public static String quoted(String value) {
        return "\"" + (value.length() > LONGEST_QUOTE ? value.substring(0, LONGEST_QUOTE) + "…" : value) + "\"";
    }

    /** Returns an enum constant as text: {@code all-workers}. */
    public static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Returns a double in decimal notation, without an exponent and trailing zeros, as the grammar of resources has it.
     * So a message quotes the specified value.
     */
    public static String decimal(double number) {
        return Double.isFinite(number)
                ? BigDecimal.valueOf(number).stripTrailingZeros().toPlainString()
                : Double.toString(number);
    }

    /**
     * Returns the shortest decimal number that parses to this double, as Go prints it; Java before JDK 19 may print
     * more digits. A number of another type is returned as its {@code toString} has it.
     */
    public static BigDecimal shortest(Number number) {
        if (!(number instanceof Double)) {
            return new BigDecimal(number.toString());
        }
        BigDecimal exact = new BigDecimal(number.doubleValue());
        for (int digits = 1; digits < MOST_DIGITS; digits++) {
            BigDecimal shorter = exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
            if (shorter.doubleValue() == number.doubleValue()) {
                return shorter;
            }
        }
        return exact.round(new MathContext(MOST_DIGITS));
    }

    /** Returns a text on one line, with line breaks and other control characters escaped as {@code \\u000a}. */
    public static String oneLine(String text) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            line.append(Character.isISOControl(c) ? String.format("\\u%04x", (int) c) : String.valueOf(c));
        }
        return line.toString();
    }
}
