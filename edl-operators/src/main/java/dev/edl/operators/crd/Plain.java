package dev.edl.k8s.crd;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Plain data: maps with texts as keys, lists, texts, numbers, booleans and null. */
final class Plain {
    static final int DEEPEST = 40;

    private Plain() {}

    /** A copy that nobody can change, whole numbers as {@code Long}, so that equal data are equal. */
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

    @SuppressWarnings("NullAway") // null is plain data, and a collection's type cannot say so
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
        if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).longValue();
        }
        if (value == null || value instanceof String || value instanceof Boolean || value instanceof Number) {
            return value;
        }
        throw new IllegalArgumentException(path + " must be a map, list, text, number, boolean or null, was a "
                + (value instanceof byte[] ? "binary" : value.getClass().getName()) + "; for example a text");
    }

    /** A text or number as it is, all else as JSON on one line. */
    static String text(@Nullable Object value) {
        return value instanceof String text ? text : json(value);
    }

    /** JSON on one line. */
    static String json(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> quoted(String.valueOf(entry.getKey())) + ":" + json(entry.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        if (value instanceof List<?> list) {
            return list.stream().map(Plain::json).collect(Collectors.joining(",", "[", "]"));
        }
        if (value instanceof Double || value instanceof Float) {
            double number = ((Number) value).doubleValue();
            // YAML has infinities and JSON has none; as a text nobody takes it for a number.
            return Double.isFinite(number) ? new BigDecimal(value.toString()).toPlainString() : quoted("" + number);
        }
        if (value == null || value instanceof Number || value instanceof Boolean) {
            return String.valueOf(value);
        }
        return quoted(value.toString());
    }

    /** A text in JSON's quotes, all but printable ASCII and what is beyond 16 bits escaped, which is as well YAML's double-quoted form. */
    static String quoted(String value) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c >= 0x20 && c <= 0x7e) {
                        out.append(c);
                    } else if (i + 1 < value.length() && Character.isSurrogatePair(c, value.charAt(i + 1))) {
                        // As it is: two escapes are one character in JSON, and in YAML two that no reader takes.
                        out.append(c).append(value.charAt(++i));
                    } else {
                        out.append(String.format("\\u%04x", (int) c));
                    }
                }
            }
        }
        return out.append('"').toString();
    }
}
