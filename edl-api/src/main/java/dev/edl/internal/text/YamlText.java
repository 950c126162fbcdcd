package dev.edl.internal.text;

import java.util.Map;
import java.util.stream.Collectors;

/**
 * Prints YAML in blocks, two blanks an indent, {@code \n} everywhere. By hand, so that the bytes depend on no library
 * and are the same on every machine.
 */
public final class YamlText {
    private final StringBuilder text = new StringBuilder();
    private final YamlStyle style;

    private YamlText(YamlStyle style) {
        this.style = style;
    }

    public static String print(Node.Fields node, YamlStyle style) {
        YamlText yaml = new YamlText(style);
        yaml.fields(node, "", "");
        return yaml.text.toString();
    }

    /** Prints entries, the first behind a lead that takes the place of the indent. */
    private void fields(Node.Fields fields, String lead, String indent) {
        String before = lead;
        for (Map.Entry<String, Node> entry : fields.nodes().entrySet()) {
            text.append(before).append(style.scalar(entry.getKey())).append(':');
            value(entry.getValue(), indent);
            before = indent;
        }
    }

    private void value(Node node, String indent) {
        if (node instanceof Node.Fields fields && !isShort(node)) {
            text.append('\n');
            fields(fields, indent + "  ", indent + "  ");
        } else if (node instanceof Node.Items items && !isShort(node)) {
            text.append('\n');
            items(items, indent + style.listIndent);
        } else {
            leaf(node, indent);
        }
    }

    private void items(Node.Items items, String indent) {
        for (Node item : items.nodes()) {
            if (item instanceof Node.Fields fields && !isShort(item)) {
                fields(fields, indent + "- ", indent + "  ");
            } else {
                text.append(indent).append('-');
                leaf(item, indent);
            }
        }
    }

    private void leaf(Node node, String indent) {
        if (node instanceof Node.Text block && style.isBlock(block.value())) {
            text.append(" |\n");
            block.value()
                    .lines()
                    .forEach(line -> text.append(line.isEmpty() ? "" : indent + "  " + line)
                            .append('\n'));
        } else {
            // A list in a list is rare enough to stand as JSON, which is YAML too.
            text.append(' ')
                    .append(isShort(node) ? flow(node) : JsonText.line(node, style.quotes))
                    .append('\n');
        }
    }

    private boolean isShort(Node node) {
        if (node instanceof Node.Fields fields) {
            return fields.nodes().values().stream().allMatch(this::isNumberOfLine);
        }
        if (node instanceof Node.Items items) {
            return items.nodes().stream().allMatch(this::isNumberOfLine);
        }
        return true;
    }

    private boolean isNumberOfLine(Node node) {
        return style == YamlStyle.JOB && node instanceof Node.Numeral;
    }

    private String flow(Node node) {
        if (node instanceof Node.Fields fields) {
            return fields.nodes().entrySet().stream()
                    .map(entry -> style.scalar(entry.getKey()) + ": " + flow(entry.getValue()))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        if (node instanceof Node.Items items) {
            return items.nodes().stream().map(this::flow).collect(Collectors.joining(", ", "[", "]"));
        }
        return node instanceof Node.Text word ? style.scalar(word.value()) : JsonText.line(node, style.quotes);
    }
}
