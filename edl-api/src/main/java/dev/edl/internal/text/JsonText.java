package dev.edl.internal.text;

import java.util.Iterator;
import java.util.Map;
import java.util.stream.Collectors;

/** Prints JSON: two blanks an indent, {@code \n} everywhere, so that the bytes are the same on every machine. */
public final class JsonText {
    private final StringBuilder text = new StringBuilder();

    private JsonText() {}

    public static String print(Node node) {
        JsonText json = new JsonText();
        json.node(node, "");
        return json.text.append('\n').toString();
    }

    private void node(Node node, String indent) {
        if (node instanceof Node.Fields fields) {
            fields(fields, indent);
        } else if (node instanceof Node.Items items) {
            items(items, indent);
        } else {
            text.append(line(node, Quotes.JSON));
        }
    }

    /** Returns JSON on one line, without blanks between its pieces. */
    public static String line(Node node, Quotes quotes) {
        if (node instanceof Node.Fields fields) {
            return fields.nodes().entrySet().stream()
                    .map(entry -> quotes.quote(entry.getKey()) + ":" + line(entry.getValue(), quotes))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        if (node instanceof Node.Items items) {
            return items.nodes().stream().map(item -> line(item, quotes)).collect(Collectors.joining(",", "[", "]"));
        }
        if (node instanceof Node.Text value) {
            return quotes.quote(value.value());
        }
        if (node instanceof Node.Numeral numeral) {
            return numeral.finite() ? numeral.digits() : quotes.quote(numeral.digits());
        }
        return node instanceof Node.Flag flag ? Boolean.toString(flag.value()) : "null";
    }

    private void fields(Node.Fields fields, String indent) {
        if (fields.nodes().isEmpty()) {
            text.append("{}");
            return;
        }
        text.append("{\n");
        Iterator<Map.Entry<String, Node>> entries = fields.nodes().entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<String, Node> entry = entries.next();
            text.append(indent)
                    .append("  ")
                    .append(Quotes.JSON.quote(entry.getKey()))
                    .append(": ");
            node(entry.getValue(), indent + "  ");
            text.append(entries.hasNext() ? ",\n" : "\n");
        }
        text.append(indent).append('}');
    }

    private void items(Node.Items items, String indent) {
        text.append('[');
        String separator = "\n";
        for (Node item : items.nodes()) {
            text.append(separator).append(indent).append("  ");
            node(item, indent + "  ");
            separator = ",\n";
        }
        text.append(items.nodes().isEmpty() ? "]" : "\n" + indent + "]");
    }
}
