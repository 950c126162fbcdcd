package dev.edl;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Prints YAML in blocks, two blanks an indent, {@code \n} everywhere; maps and lists of numbers only stay on one line.
 *
 * <p>A text stands plain when no YAML version could read it as something else, and in JSON's quotes otherwise.
 */
final class YamlText {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z/][A-Za-z0-9_./@+=,-]*(?::[A-Za-z0-9_./@+=,-]+)*");
    private static final Set<String> WORDS =
            Set.of("y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf");

    private final StringBuilder text = new StringBuilder();

    private YamlText() {}

    static String print(Node.Fields node) {
        YamlText yaml = new YamlText();
        yaml.fields(node, "", "");
        return yaml.text.toString();
    }

    /** Prints entries, the first behind a lead that stands there already or takes the place of the indent. */
    private void fields(Node.Fields fields, String lead, String indent) {
        String before = lead;
        for (Map.Entry<String, Node> entry : fields.nodes().entrySet()) {
            text.append(before).append(scalar(new Node.Text(entry.getKey()))).append(':');
            value(entry.getValue(), indent);
            before = indent;
        }
    }

    private void value(Node node, String indent) {
        if (isShort(node)) {
            text.append(' ').append(flow(node)).append('\n');
        } else if (node instanceof Node.Fields fields) {
            text.append('\n');
            fields(fields, indent + "  ", indent + "  ");
        } else if (node instanceof Node.Items items) {
            text.append('\n');
            for (Node item : items.nodes()) {
                if (item instanceof Node.Fields fields && !isShort(item)) {
                    fields(fields, indent + "  - ", indent + "    ");
                } else {
                    text.append(indent).append("  - ").append(flow(item)).append('\n');
                }
            }
        }
    }

    private static boolean isShort(Node node) {
        if (node instanceof Node.Fields fields) {
            return fields.nodes().values().stream().allMatch(Node.Numeral.class::isInstance);
        }
        if (node instanceof Node.Items items) {
            return items.nodes().stream().allMatch(Node.Numeral.class::isInstance);
        }
        return true;
    }

    private static String flow(Node node) {
        if (node instanceof Node.Fields fields) {
            return fields.nodes().entrySet().stream()
                    .map(entry -> scalar(new Node.Text(entry.getKey())) + ": " + flow(entry.getValue()))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        if (node instanceof Node.Items items) {
            return items.nodes().stream().map(YamlText::flow).collect(Collectors.joining(", ", "[", "]"));
        }
        return scalar(node);
    }

    private static String scalar(Node node) {
        if (node instanceof Node.Text value
                && PLAIN.matcher(value.value()).matches()
                && !WORDS.contains(value.value().toLowerCase(Locale.ROOT))) {
            return value.value();
        }
        return JsonText.scalar(node);
    }
}
