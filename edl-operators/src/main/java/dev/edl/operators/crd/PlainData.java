package dev.edl.operators.crd;

import dev.edl.internal.text.DataNode;
import dev.edl.internal.text.EscapeStyle;
import dev.edl.internal.text.JsonText;
import dev.edl.internal.text.MessageText;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Functions on plain data: maps with string keys, lists, strings, numbers, booleans and null. */
final class PlainData {
    static final int DEEPEST = 40;

    /** Bound of floating-point numbers that become {@code Long}; larger ones may not fit 64 bits. */
    private static final double LARGEST = 9e18;

    private PlainData() {}

    /**
     * Returns an immutable copy. Whole numbers become {@code Long}, so that copies of equal numbers of different types
     * are equal.
     */
    static Map<String, Object> copy(Map<?, ?> map) {
        return copy("", map, 0);
    }

    private static Map<String, Object> copy(String path, Map<?, ?> map, int depth) {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> {
            String name = String.valueOf(key);
            copy.put(name, value(path.isEmpty() ? name : path + "." + name, value, depth + 1));
        });
        return Collections.unmodifiableMap(copy);
    }

    @SuppressWarnings("NullAway") // Plain data contains null, which a collection's type cannot express.
    private static Object value(String path, @Nullable Object value, int depth) {
        if (depth > DEEPEST) {
            throw new IllegalArgumentException(path + " must be nested at most " + DEEPEST + " deep, was deeper");
        }
        if (value instanceof Map<?, ?> map) {
            return copy(path, map, depth);
        }
        if (value instanceof List<?> list) {
            List<Object> copy = new ArrayList<>();
            for (Object item : list) {
                copy.add(value(path + "[" + copy.size() + "]", item, depth + 1));
            }
            return Collections.unmodifiableList(copy);
        }
        if (value instanceof Number number && !Double.isFinite(number.doubleValue())) {
            throw new IllegalArgumentException(path + " must be a finite number, was "
                    + MessageText.quoted(number.toString()) + "; for example 1.5");
        }
        if (value instanceof Double number && Math.abs(number) < LARGEST && Math.rint(number) == number) {
            return MessageText.shortest(number).longValueExact();
        }
        if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).longValue();
        }
        if (value == null || value instanceof String || value instanceof Boolean || value instanceof Number) {
            return value;
        }
        throw new IllegalArgumentException(path + " must be a map, list, text, number, boolean or null, was a "
                + (value instanceof byte[] ? "binary" : value.getClass().getName()) + "; for example a text");
    }

    /** Returns a parsed JSON value as plain data. */
    static @Nullable Object of(DataNode node) {
        if (node instanceof DataNode.Numeral number) {
            return number(number.digits());
        }
        if (node instanceof DataNode.BooleanValue flag) {
            return flag.value();
        }
        return node instanceof DataNode.NullValue ? null : collected(node, PlainData::of);
    }

    /** Returns a parsed JSON value as plain data, with each scalar as written. */
    static @Nullable Object source(DataNode node) {
        if (node instanceof DataNode.Numeral number) {
            return number.source();
        }
        if (node instanceof DataNode.BooleanValue flag) {
            return flag.source();
        }
        return node instanceof DataNode.NullValue ? "null" : collected(node, PlainData::source);
    }

    private static Object collected(DataNode node, Function<DataNode, @Nullable Object> value) {
        if (node instanceof DataNode.Mapping map) {
            Map<String, @Nullable Object> values = new LinkedHashMap<>();
            map.nodes().forEach((key, one) -> values.put(key, value.apply(one)));
            return values;
        }
        if (node instanceof DataNode.Sequence list) {
            List<@Nullable Object> values = new ArrayList<>();
            list.nodes().forEach(one -> values.add(value.apply(one)));
            return values;
        }
        return ((DataNode.Text) node).value();
    }

    private static Number number(String json) {
        if (!json.matches("-?\\d+")) {
            return Double.valueOf(json);
        }
        BigInteger number = new BigInteger(json);
        return number.bitLength() < Long.SIZE ? (Number) number.longValue() : number;
    }

    /** Returns a string or number unchanged, and other data as JSON on one line. */
    static String text(@Nullable Object value) {
        return value instanceof String text ? text : json(value);
    }

    /** Returns the data as JSON on one line. */
    static String json(@Nullable Object value) {
        return JsonText.line(DataNode.of(value), EscapeStyle.ASCII_JSON);
    }
}
