package dev.edl.internal.text;

/** Settings of a {@link FieldReader}: how its messages show a value, and which values count as present. */
public enum FieldReaderSettings {
    /** Messages describe values: {@code the number 4}, {@code a list}. */
    PLAIN,

    /** Messages show values as JSON on one line, together with a valid form. */
    JSON,

    /**
     * Reader of a Kubernetes object, in which a key with a null value counts as absent. Messages are as for
     * {@link #JSON}.
     */
    KUBERNETES;

    private static final int LONGEST = 200;

    /** Returns the text of a value in messages. JSON of more than 200 characters is truncated. */
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

    /** Returns the end of a message, which shows a valid form; empty for {@link #PLAIN}. */
    String example(String form) {
        return this == PLAIN ? "" : "; for example " + form;
    }

    /**
     * Returns the end of the message that a value must be text, which shows a valid text: a number or boolean in
     * quotes.
     */
    String asText(DataNode node) {
        String source = source(node);
        return source.isEmpty()
                ? example(node instanceof DataNode.NullValue ? "\"null\"" : "\"a\"")
                : "; for example \"" + source + "\"";
    }

    /** Returns the text of a number or boolean in the document; an empty text for other nodes. */
    private static String source(DataNode node) {
        if (node instanceof DataNode.Numeral numeral) {
            return numeral.source();
        }
        return node instanceof DataNode.BooleanValue flag ? flag.source() : "";
    }
}
