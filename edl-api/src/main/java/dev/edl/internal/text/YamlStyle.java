package dev.edl.internal.text;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Styles in which {@link YamlText} prints. Readers of YAML 1.1 and 1.2 get the same data from each of them. */
public enum YamlStyle {
    /** Jobs: a map or list that contains only numbers is on one line. */
    JOB("[A-Za-z/][A-Za-z0-9_./@+=,-]*(?::[A-Za-z0-9_./@+=,-]+)*", EscapeStyle.JSON, "  "),

    /**
     * Custom resources, which operators read with Go's YAML 1.1, where {@code on} is true and {@code 1_000} a number.
     */
    RESOURCE("[A-Za-z/][A-Za-z0-9_./@+-]*(?::[A-Za-z0-9_./@+-]+)*", EscapeStyle.ASCII_JSON, "  "),

    /** Manifests: scripts as blocks, and JSON in single quotes, as in handwritten manifests. */
    MANIFEST("[A-Za-z/]([A-Za-z0-9_./:@+-]*[A-Za-z0-9_./@+-])?", EscapeStyle.ASCII_YAML, "");

    private static final Set<String> WORDS =
            Set.of("y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf");

    /** Matches a text of complete lines. The first begins with no blank, because a block would lose it. */
    private static final Pattern BLOCK = Pattern.compile("[!-~].*\n(?s:.*)");

    final EscapeStyle quotes;
    final String listIndent;
    private final Pattern plain;

    YamlStyle(String plain, EscapeStyle quotes, String listIndent) {
        this.plain = Pattern.compile(plain);
        this.quotes = quotes;
        this.listIndent = listIndent;
    }

    /** Returns a text without quotes if every version of YAML reads it as that text, otherwise with quotes. */
    String scalar(String text) {
        if (plain.matcher(text).matches() && !WORDS.contains(text.toLowerCase(Locale.ROOT))) {
            return text;
        }
        return this == MANIFEST && text.indexOf('"') >= 0 && text.chars().allMatch(YamlStyle::isPrintable)
                ? "'" + text.replace("'", "''") + "'"
                : quotes.quote(text);
    }

    /**
     * Returns whether a text is printed as a block. Only {@link #MANIFEST} has blocks, for texts of printable ASCII
     * that end with exactly one line break. The first line has no leading blank, and no line a trailing one.
     */
    boolean isBlock(String text) {
        return this == MANIFEST
                && text.length() > 1
                && text.endsWith("\n")
                && !text.endsWith("\n\n")
                && BLOCK.matcher(text).matches()
                && text.lines().noneMatch(line -> line.endsWith(" ") || line.endsWith("\t"))
                && text.chars().allMatch(c -> c == '\n' || isPrintable(c));
    }

    private static boolean isPrintable(int c) {
        return c >= ' ' && c <= '~';
    }
}
