package dev.edl.k8s.crd;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Prints plain data as YAML in blocks, two blanks an indent, in the order of the maps.
 *
 * <p>A text stands plain when no YAML version could read it as something else, and in double quotes otherwise: an
 * operator reads with Go's YAML 1.1, where {@code on} is true and {@code 1_000} a number.
 */
final class YamlText {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z/][A-Za-z0-9_./@+-]*(?::[A-Za-z0-9_./@+-]+)*");
    private static final Set<String> WORDS =
            Set.of("y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf");

    private final StringBuilder text = new StringBuilder();

    private YamlText() {}

    static String print(Map<?, ?> map) {
        YamlText yaml = new YamlText();
        yaml.fields(map, "", "");
        return yaml.text.toString();
    }

    /** Prints entries, the first behind a lead that takes the place of the indent. */
    private void fields(Map<?, ?> map, String lead, String indent) {
        String before = lead;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            text.append(before).append(scalar(String.valueOf(entry.getKey()))).append(':');
            value(entry.getValue(), indent);
            before = indent;
        }
    }

    private void value(@Nullable Object value, String indent) {
        if (value instanceof Map<?, ?> map && !map.isEmpty()) {
            text.append('\n');
            fields(map, indent + "  ", indent + "  ");
        } else if (value instanceof List<?> list && !list.isEmpty()) {
            text.append('\n');
            items(list, indent);
        } else {
            text.append(' ').append(scalar(value)).append('\n');
        }
    }

    private void items(List<?> list, String indent) {
        for (Object item : list) {
            if (item instanceof Map<?, ?> map && !map.isEmpty()) {
                fields(map, indent + "  - ", indent + "    ");
            } else {
                text.append(indent).append("  - ").append(scalar(item)).append('\n');
            }
        }
    }

    /** A list in a list is rare enough to stand as JSON, which is YAML too. */
    private static String scalar(@Nullable Object value) {
        if (value instanceof String word
                && PLAIN.matcher(word).matches()
                && !WORDS.contains(word.toLowerCase(Locale.ROOT))) {
            return word;
        }
        return Plain.json(value);
    }
}
