package dev.edl.k8s.render;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Writes maps, lists, texts, numbers and truth values as YAML that versions 1.1 and 1.2 read alike. By hand, so that the
 * bytes depend on no library, and a variable that holds JSON is one line.
 */
final class YamlWriter {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z/]([A-Za-z0-9_./:@+-]*[A-Za-z0-9_./@+-])?");
    private static final Set<String> WORDS = Set.of("true", "false", "yes", "no", "on", "off", "null", "y", "n");

    /** Lines of printable characters, none with blanks at its beginning or end, where they would be lost or mistaken. */
    private static final Pattern BLOCK = Pattern.compile("[!-~].*\n(?s:.*)");

    private final StringBuilder text = new StringBuilder();

    String document(Map<?, ?> root) {
        text.append("---\n");
        map(root, 0, false);
        return text.toString();
    }

    private void map(Map<?, ?> map, int depth, boolean begun) {
        boolean first = begun;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            if (!first) {
                indent(depth);
            }
            first = false;
            text.append(scalar(String.valueOf(entry.getKey()))).append(':');
            value(entry.getValue(), depth);
        }
    }

    private void value(Object value, int depth) {
        if (value instanceof Map<?, ?> map && !map.isEmpty()) {
            text.append('\n');
            map(map, depth + 1, false);
        } else if (value instanceof List<?> list && !list.isEmpty()) {
            text.append('\n');
            list(list, depth);
        } else if (value instanceof String string && isBlock(string)) {
            block(string, depth + 1);
        } else {
            text.append(' ').append(leaf(value)).append('\n');
        }
    }

    private void list(List<?> list, int depth) {
        for (Object item : list) {
            indent(depth);
            text.append("- ");
            if (item instanceof Map<?, ?> map && !map.isEmpty()) {
                map(map, depth + 1, true);
            } else if (item instanceof String string && isBlock(string)) {
                text.setLength(text.length() - 1);
                block(string, depth + 1);
            } else {
                text.append(leaf(item)).append('\n');
            }
        }
    }

    private static String leaf(Object value) {
        if (value instanceof Map) {
            return "{}";
        }
        if (value instanceof List) {
            return "[]";
        }
        return value instanceof String string ? scalar(string) : String.valueOf(value);
    }

    private static boolean isBlock(String string) {
        return string.length() > 1
                && string.endsWith("\n")
                && !string.endsWith("\n\n")
                && BLOCK.matcher(string).matches()
                && string.lines().noneMatch(line -> line.endsWith(" ") || line.endsWith("\t"))
                && string.chars().allMatch(c -> c == '\n' || isPrintable(c));
    }

    private void block(String string, int depth) {
        text.append(" |\n");
        string.lines().forEach(line -> {
            if (!line.isEmpty()) {
                indent(depth);
                text.append(line);
            }
            text.append('\n');
        });
    }

    private void indent(int depth) {
        text.append("  ".repeat(depth));
    }

    private static String scalar(String string) {
        if (PLAIN.matcher(string).matches() && !WORDS.contains(string.toLowerCase(Locale.ROOT))) {
            return string;
        }
        return string.indexOf('"') >= 0 && string.chars().allMatch(YamlWriter::isPrintable)
                ? "'" + string.replace("'", "''") + "'"
                : quoted(string);
    }

    private static boolean isPrintable(int c) {
        return c >= ' ' && c <= '~';
    }

    private static String quoted(String string) {
        StringBuilder quoted = new StringBuilder("\"");
        string.codePoints().forEach(c -> {
            switch (c) {
                case '"', '\\' -> quoted.append('\\').appendCodePoint(c);
                case '\n' -> quoted.append("\\n");
                case '\t' -> quoted.append("\\t");
                default -> {
                    if (isPrintable(c)) {
                        quoted.appendCodePoint(c);
                    } else {
                        quoted.append(String.format(c > 0xffff ? "\\U%08x" : "\\u%04x", c));
                    }
                }
            }
        });
        return quoted.append('"').toString();
    }
}
