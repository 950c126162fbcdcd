package dev.edl.internal.text;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A piece of a JSON or YAML text. */
public sealed interface Node {
    /** A value for a message: {@code "four"}, {@code the number 4}, {@code a list}. */
    String described();

    /** Returns plain data as a piece: a map with texts as keys, a list, a text, a number, a boolean or null. */
    static Node of(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return Fields.of(map);
        }
        if (value instanceof List<?> list) {
            return new Items(list.stream().map(Node::of).toList());
        }
        if (value instanceof Double || value instanceof Float) {
            double number = ((Number) value).doubleValue();
            return new Numeral(
                    Double.isFinite(number)
                            ? new BigDecimal(value.toString()).toPlainString()
                            : Double.toString(number),
                    false);
        }
        if (value instanceof Number) {
            return new Numeral(value.toString());
        }
        if (value instanceof Boolean flag) {
            return new Flag(flag);
        }
        return value == null ? new Nothing() : new Text(value.toString());
    }

    /** Named pieces, in the order written. */
    record Fields(Map<String, Node> nodes) implements Node {
        public static Fields of(Map<?, ?> map) {
            Map<String, Node> nodes = new LinkedHashMap<>();
            map.forEach((key, value) -> nodes.put(String.valueOf(key), Node.of(value)));
            return new Fields(nodes);
        }

        @Override
        public String described() {
            return "a map";
        }
    }

    /** Pieces in order. */
    record Items(List<Node> nodes) implements Node {
        @Override
        public String described() {
            return "a list";
        }
    }

    /** A text, quoted or not. */
    record Text(String value) implements Node {
        @Override
        public String described() {
            return MessageText.quoted(value);
        }
    }

    /**
     * A number.
     *
     * @param digits as written
     * @param whole whether it is written as a whole number; a floating-point number may have the same digits
     */
    record Numeral(String digits, boolean whole) implements Node {
        private static final Pattern WHOLE = Pattern.compile("-?(?:0|[1-9]\\d*)");

        public Numeral(String digits) {
            this(digits, WHOLE.matcher(digits).matches());
        }

        /** Returns whether it is a number in JSON, too, which has no infinities as YAML has. */
        public boolean finite() {
            return !digits.endsWith("Infinity") && !digits.equals("NaN");
        }

        public static Numeral of(long number) {
            return new Numeral(Long.toString(number));
        }

        @Override
        public String described() {
            return "the number " + digits;
        }
    }

    /**
     * True or false.
     *
     * @param source the word as written: YAML takes {@code yes} and {@code no} for one of them
     */
    record Flag(boolean value, String source) implements Node {
        public Flag(boolean value) {
            this(value, Boolean.toString(value));
        }

        @Override
        public String described() {
            return source.equals(Boolean.toString(value)) ? source : source + ", which YAML reads as " + value;
        }
    }

    /** Nothing: JSON's null, or a YAML key without a value. */
    record Nothing() implements Node {
        @Override
        public String described() {
            return "nothing";
        }
    }
}
