package dev.edl.plan;

import dev.edl.internal.text.EscapeStyle;
import java.util.List;
import java.util.Map;

/** Emits the YAML subset of a plan: nested maps and lists of strings, every string double-quoted. */
final class YamlEmitter {
    private final StringBuilder text = new StringBuilder();

    void open(int depth, String key) {
        indent(depth).append(key).append(":\n");
    }

    void value(int depth, String key, String value) {
        indent(depth)
                .append(key)
                .append(": ")
                .append(EscapeStyle.ASCII_YAML.quote(value))
                .append('\n');
    }

    void number(int depth, String key, int value) {
        indent(depth).append(key).append(": ").append(value).append('\n');
    }

    /** Emits a map; omits an empty one. */
    void map(int depth, String key, Map<String, String> map) {
        if (!map.isEmpty()) {
            open(depth, key);
            map.forEach((name, value) -> value(depth + 1, EscapeStyle.ASCII_YAML.quote(name), value));
        }
    }

    /** Emits a list; omits an empty one. */
    void list(int depth, String key, List<String> values) {
        if (!values.isEmpty()) {
            open(depth, key);
            values.forEach(value -> indent(depth + 1)
                    .append("- ")
                    .append(EscapeStyle.ASCII_YAML.quote(value))
                    .append('\n'));
        }
    }

    private StringBuilder indent(int depth) {
        return text.append("  ".repeat(depth));
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
