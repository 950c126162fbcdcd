package dev.edl.internal.text;

import java.util.Map;
import java.util.stream.Collectors;

/**
 * Prints YAML in blocks with an indent of two blanks and {@code \n} line ends. It uses no library, so that its bytes
 * are the same on every machine.
 */
public final class YamlText {
    private final StringBuilder text = new StringBuilder();
    private final YamlStyle style;

    private YamlText(YamlStyle style) {
        this.style = style;
    }

    public static String print(DataNode.Mapping node, YamlStyle style) {
        YamlText yaml = new YamlText(style);
        yaml.fields(node, "", "");
        return yaml.text.toString();
    }

    /**
     * Prints the entries of a map.
     *
     * @param lead text in front of the first entry, such as an indent and the dash of a list
     * @param indent text in front of each other entry
     */
    private void fields(DataNode.Mapping mapping, String lead, String indent) {
        String before = lead;
        for (Map.Entry<String, DataNode> entry : mapping.nodes().entrySet()) {
            text.append(before).append(style.scalar(entry.getKey())).append(':');
            value(entry.getValue(), indent);
            before = indent;
        }
    }

    private void value(DataNode node, String indent) {
        if (node instanceof DataNode.Mapping mapping && !isShort(node)) {
            text.append('\n');
            fields(mapping, indent + "  ", indent + "  ");
        } else if (node instanceof DataNode.Sequence sequence && !isShort(node)) {
            text.append('\n');
            items(sequence, indent + style.listIndent);
        } else {
            leaf(node, indent);
        }
    }

    private void items(DataNode.Sequence sequence, String indent) {
        for (DataNode item : sequence.nodes()) {
            if (item instanceof DataNode.Mapping mapping && !isShort(item)) {
                fields(mapping, indent + "- ", indent + "  ");
            } else {
                text.append(indent).append('-');
                leaf(item, indent);
            }
        }
    }

    private void leaf(DataNode node, String indent) {
        if (node instanceof DataNode.Text block && style.isBlock(block.value())) {
            text.append(" |\n");
            block.value()
                    .lines()
                    .forEach(line -> text.append(line.isEmpty() ? "" : indent + "  " + line)
                            .append('\n'));
        } else {
            // Prints a list in a list as JSON, which is valid YAML, because it is rare.
            text.append(' ')
                    .append(isShort(node) ? flow(node) : JsonText.line(node, style.quotes))
                    .append('\n');
        }
    }

    private boolean isShort(DataNode node) {
        if (node instanceof DataNode.Mapping mapping) {
            return mapping.nodes().values().stream().allMatch(this::isNumberOfLine);
        }
        if (node instanceof DataNode.Sequence sequence) {
            return sequence.nodes().stream().allMatch(this::isNumberOfLine);
        }
        return true;
    }

    private boolean isNumberOfLine(DataNode node) {
        return style == YamlStyle.JOB && node instanceof DataNode.Numeral;
    }

    private String flow(DataNode node) {
        if (node instanceof DataNode.Mapping mapping) {
            return mapping.nodes().entrySet().stream()
                    .map(entry -> style.scalar(entry.getKey()) + ": " + flow(entry.getValue()))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        if (node instanceof DataNode.Sequence sequence) {
            return sequence.nodes().stream().map(this::flow).collect(Collectors.joining(", ", "[", "]"));
        }
        return node instanceof DataNode.Text word ? style.scalar(word.value()) : JsonText.line(node, style.quotes);
    }
}
