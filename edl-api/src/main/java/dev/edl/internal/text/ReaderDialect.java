package dev.edl.internal.text;

/** What differs between readers: how a mistake shows a value, and which values count. */
public enum ReaderDialect {
    /** Values are described: {@code the number 4}, {@code a list}. */
    PLAIN,

    /** Values are JSON on one line, beside a valid form. */
    JSON,

    /** The same for an object of Kubernetes, where a key without a value counts as absent. */
    KUBERNETES;

    private static final int LONGEST = 200;

    /** Returns a value as a mistake shows it, cut where it is long. */
    public String shown(DataNode node) {
        if (this == PLAIN) {
            return node.described();
        }
        String json = JsonText.line(node, QuoteStyle.ASCII_JSON);
        String source = source(node);
        if (!source.isEmpty() && !source.equals(json) && !json.startsWith("\"")) {
            json = source + ", which YAML reads as " + json;
        }
        return json.length() <= LONGEST ? json : json.substring(0, LONGEST) + "…";
    }

    /** Returns whether a value is more than the absence of one. */
    boolean counts(DataNode node) {
        return this != KUBERNETES || !(node instanceof DataNode.NullValue);
    }

    /** Returns the end of a mistake with a valid form. */
    String example(String form) {
        return this == PLAIN ? "" : "; for example " + form;
    }

    /** Returns the end of the mistake that a value is no text. */
    String asText(DataNode node) {
        String source = source(node);
        return source.isEmpty()
                ? example(node instanceof DataNode.NullValue ? "\"null\"" : "\"a\"")
                : "; for example \"" + source + "\"";
    }

    /** Returns what stands in the text for a number or a flag; empty for all else. */
    private static String source(DataNode node) {
        if (node instanceof DataNode.Numeral numeral) {
            return numeral.source();
        }
        return node instanceof DataNode.BooleanValue flag ? flag.source() : "";
    }
}
