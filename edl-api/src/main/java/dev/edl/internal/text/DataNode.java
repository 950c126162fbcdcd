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
    /** Returns the value for a message: {@code "four"}, {@code the number 4}, {@code a list}. */
    String described();

    /** Returns plain data as a node: a map with text keys, a list, a text, a number, a boolean or null. */
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
     * Returns plain data as a node whose scalars keep their source text.
     *
     * @param source the same data with each scalar as its text; ignored where its structure differs
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

    /** Named nodes, in document order. */
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

    /** Nodes in document order. */
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
     * @param digits its decimal value
     * @param source its source text: {@code 0644} may be 420
     */
    record Numeral(String digits, String source) implements DataNode {
        private static final Pattern DECIMAL =
                Pattern.compile("[-+]?(?:0|[1-9]\\d{0,400})(?:\\.\\d{0,400})?(?:[eE][-+]?\\d{1,3})?");

        public Numeral(String digits) {
            this(digits, digits);
        }

        /** Returns the whole number, in any notation such as {@code 4.0}; empty when it is not whole. */
        public Optional<BigInteger> whole() {
            if (!DECIMAL.matcher(digits).matches()) {
                return Optional.empty();
            }
            BigDecimal number = new BigDecimal(digits).stripTrailingZeros();
            return number.scale() <= 0 ? Optional.of(number.toBigIntegerExact()) : Optional.empty();
        }

        /** Returns whether it is a number in JSON, which has no infinities as YAML has. */
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
     * @param source its source word: YAML reads {@code yes} and {@code no} as booleans
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
