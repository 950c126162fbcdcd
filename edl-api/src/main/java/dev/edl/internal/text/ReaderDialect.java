package dev.edl.internal.text;

/** Differences between readers: how a message shows a value, and which values count as present. */
public enum ReaderDialect {
    /** Messages describe values: {@code the number 4}, {@code a list}. */
    PLAIN,

    /** Messages show values as JSON on one line, beside a valid form. */
    JSON,

    /** The same for a Kubernetes object, where a key with a null value counts as absent. */
    KUBERNETES;

    private static final int LONGEST = 200;

    /** Returns a value as a message shows it, truncated if it is long. */
    public String shown(DataNode node) {
        if (this == PLAIN) {
            return node.described();
        }
        String json = JsonText.line(node, EscapeStyle.ASCII_JSON);
        String source = source(node);
        if (!source.isEmpty() && !source.equals(json) && !json.startsWith("\"")) {
            json = source + ", which YAML reads as " + json;
        }
        return json.length() <= LONGEST ? json : json.substring(0, LONGEST) + "…";
    }

    /** Returns whether a value counts as present. */
    boolean counts(DataNode node) {
        return this != KUBERNETES || !(node instanceof DataNode.NullValue);
    }

    /** Returns the end of a message with a valid form. */
    String example(String form) {
        return this == PLAIN ? "" : "; for example " + form;
    }

    /** Returns the end of the message that a value is not text. */
    String asText(DataNode node) {
        String source = source(node);
        return source.isEmpty()
                ? example(node instanceof DataNode.NullValue ? "\"null\"" : "\"a\"")
                : "; for example \"" + source + "\"";
    }

    /** Returns the source text of a number or boolean; empty for other nodes. */
    private static String source(DataNode node) {
        if (node instanceof DataNode.Numeral numeral) {
            return numeral.source();
        }
        return node instanceof DataNode.BooleanValue flag ? flag.source() : "";
    }
}
