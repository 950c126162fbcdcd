package dev.edl.internal.text;

import java.util.Iterator;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Prints JSON with an indent of two blanks and {@code \n} line ends, so that its bytes are the same on every machine.
 */
public final class JsonText {
    private final StringBuilder text = new StringBuilder();

    private JsonText() {}

    public static String print(DataNode node) {
        JsonText json = new JsonText();
        json.node(node, "");
        return json.text.append('\n').toString();
    }

    private void node(DataNode node, String indent) {
        if (node instanceof DataNode.Mapping mapping) {
            fields(mapping, indent);
        } else if (node instanceof DataNode.Sequence sequence) {
            items(sequence, indent);
        } else {
            text.append(line(node, EscapeStyle.JSON));
        }
    }

    /** Returns JSON on one line, without blanks between its tokens. */
    public static String line(DataNode node, EscapeStyle quotes) {
        if (node instanceof DataNode.Mapping mapping) {
            return mapping.nodes().entrySet().stream()
                    .map(entry -> quotes.quote(entry.getKey()) + ":" + line(entry.getValue(), quotes))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        if (node instanceof DataNode.Sequence sequence) {
            return sequence.nodes().stream().map(item -> line(item, quotes)).collect(Collectors.joining(",", "[", "]"));
        }
        if (node instanceof DataNode.Text value) {
            return quotes.quote(value.value());
        }
        if (node instanceof DataNode.Numeral numeral) {
            return numeral.finite() ? numeral.digits() : quotes.quote(numeral.digits());
        }
        return node instanceof DataNode.BooleanValue flag ? Boolean.toString(flag.value()) : "null";
    }

    private void fields(DataNode.Mapping mapping, String indent) {
        if (mapping.nodes().isEmpty()) {
            text.append("{}");
            return;
        }
        text.append("{\n");
        Iterator<Map.Entry<String, DataNode>> entries =
                mapping.nodes().entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<String, DataNode> entry = entries.next();
            text.append(indent)
                    .append("  ")
                    .append(EscapeStyle.JSON.quote(entry.getKey()))
                    .append(": ");
            node(entry.getValue(), indent + "  ");
            text.append(entries.hasNext() ? ",\n" : "\n");
        }
        text.append(indent).append('}');
    }

    private void items(DataNode.Sequence sequence, String indent) {
        text.append('[');
        String separator = "\n";
        for (DataNode item : sequence.nodes()) {
            text.append(separator).append(indent).append("  ");
            node(item, indent + "  ");
            separator = ",\n";
        }
        text.append(sequence.nodes().isEmpty() ? "]" : "\n" + indent + "]");
    }
}
