package dev.edl;

import java.util.Iterator;
import java.util.Map;

/** Prints JSON: two blanks an indent, {@code \n} everywhere, so that the bytes are the same on every machine. */
final class JsonText {
    private final StringBuilder text = new StringBuilder();

    private JsonText() {}

    static String print(Node node) {
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
            text.append(scalar(node));
        }
    }

    /** A text in quotes, a number or a word. */
    static String scalar(Node node) {
        if (node instanceof Node.Text value) {
            return quoted(value.value());
        }
        if (node instanceof Node.Numeral numeral) {
            return numeral.digits();
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
            text.append(indent).append("  ").append(quoted(entry.getKey())).append(": ");
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

    /** In double quotes, with everything escaped that JSON or YAML would not keep as it is. */
    static String quoted(String value) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c == '\n') {
                quoted.append("\\n");
            } else if (c == '\t') {
                quoted.append("\\t");
            } else if (isKept(c)) {
                quoted.append(c);
            } else if (i + 1 < value.length() && Character.isSurrogatePair(c, value.charAt(i + 1))) {
                // As it is: two escapes are one character in JSON, and in YAML two that no reader takes.
                quoted.append(c).append(value.charAt(++i));
            } else {
                quoted.append(String.format("\\u%04x", (int) c));
            }
        }
        return quoted.append('"').toString();
    }

    /** Printable in every YAML version, and no part of a surrogate pair. */
    private static boolean isKept(char c) {
        return (c >= ' ' && c < 0x7f) || (c >= 0xa1 && c < 0x2000) || (c >= 0x3000 && c < 0xd800);
    }
}
