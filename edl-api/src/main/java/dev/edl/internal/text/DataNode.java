package dev.edl.internal.text;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Node of a JSON or YAML tree. */
public sealed interface DataNode {
    /** Returns the text of the value in messages: {@code "four"}, {@code the number 4}, {@code a list}. */
    String described();

    /** Returns the node of plain data: of a map, a list, a text, a number, a boolean or null. */
    static DataNode of(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return Mapping.of(map);
        }
        if (value instanceof List<?> list) {
            return new Sequence(list.stream().map(DataNode::of).toList());
        }
        if (value instanceof Double || value instanceof Float) {
            double number = ((Number) value).doubleValue();
            return new Numeral(
                    Double.isFinite(number)
                            ? MessageText.shortest((Number) value).toPlainString()
                            : Double.toString(number));
        }
        if (value instanceof Number) {
            return new Numeral(value.toString());
        }
        if (value instanceof Boolean flag) {
            return new BooleanValue(flag);
        }
        return value == null ? new NullValue() : new Text(value.toString());
    }

    /**
     * Returns the node of plain data, in which numbers and booleans keep their text from the document.
     *
     * @param source same data with the document's text in place of each number, boolean and text; ignored where its
     *     structure differs from {@code value}
     */
    static DataNode of(@Nullable Object value, @Nullable Object source) {
        if (value instanceof Map<?, ?> map && source instanceof Map<?, ?> texts && map.size() == texts.size()) {
            Map<String, DataNode> nodes = new LinkedHashMap<>();
            Iterator<?> text = texts.values().iterator();
            map.forEach((key, one) -> nodes.put(String.valueOf(key), DataNode.of(one, text.next())));
            return new Mapping(nodes);
        }
        if (value instanceof List<?> list && source instanceof List<?> texts && list.size() == texts.size()) {
            Iterator<?> text = texts.iterator();
            return new Sequence(
                    list.stream().map(one -> DataNode.of(one, text.next())).toList());
        }
        DataNode node = DataNode.of(value);
        if (source instanceof String text && node instanceof Numeral number && number.finite()) {
            return new Numeral(number.digits(), text);
        }
        return source instanceof String text && node instanceof BooleanValue flag
                ? new BooleanValue(flag.value(), text)
                : node;
    }

    /** Map: nodes by key, in document order. */
    record Mapping(Map<String, DataNode> nodes) implements DataNode {
        public static Mapping of(Map<?, ?> map) {
            Map<String, DataNode> nodes = new LinkedHashMap<>();
            map.forEach((key, value) -> nodes.put(String.valueOf(key), DataNode.of(value)));
            return new Mapping(nodes);
        }

        @Override
        public String described() {
            return "a map";
        }
    }

    /** List: nodes in document order. */
    record Sequence(List<DataNode> nodes) implements DataNode {
        @Override
        public String described() {
            return "a list";
        }
    }

    /** Text, quoted or not. */
    record Text(String value) implements DataNode {
        @Override
        public String described() {
            return MessageText.quoted(value);
        }
    }

    /**
     * Number.
     *
     * @param digits value in decimal notation
     * @param source text of the number in the document: {@code 0644} may stand for 420
     */
    record Numeral(String digits, String source) implements DataNode {
        private static final Pattern DECIMAL =
                Pattern.compile("[-+]?(?:0|[1-9]\\d{0,400})(?:\\.\\d{0,400})?(?:[eE][-+]?\\d{1,3})?");

        public Numeral(String digits) {
            this(digits, digits);
        }

        /**
         * Returns the value as a whole number, from any notation such as {@code 4.0}; empty if the value is not whole.
         */
        public Optional<BigInteger> whole() {
            if (!DECIMAL.matcher(digits).matches()) {
                return Optional.empty();
            }
            BigDecimal number = new BigDecimal(digits).stripTrailingZeros();
            return number.scale() <= 0 ? Optional.of(number.toBigIntegerExact()) : Optional.empty();
        }

        /** Returns whether the value is a finite number. JSON, unlike YAML, has neither infinities nor NaN. */
        public boolean finite() {
            return !digits.endsWith("Infinity") && !digits.equals("NaN");
        }

        public static Numeral of(long number) {
            return new Numeral(Long.toString(number));
        }

        @Override
        public String described() {
            return "the number " + source;
        }
    }

    /**
     * True or false.
     *
     * @param source word in the document: YAML reads {@code yes} and {@code no} as booleans
     */
    record BooleanValue(boolean value, String source) implements DataNode {
        public BooleanValue(boolean value) {
            this(value, Boolean.toString(value));
        }

        @Override
        public String described() {
            return source.equals(Boolean.toString(value)) ? source : source + ", which YAML reads as " + value;
        }
    }

    /** JSON's null, or a YAML key without a value. */
    record NullValue() implements DataNode {
        @Override
        public String described() {
            return "nothing";
        }
    }
}
