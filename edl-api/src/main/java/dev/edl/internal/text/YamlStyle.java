package dev.edl.internal.text;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** The forms in which {@link YamlText} prints. Versions 1.1 and 1.2 of YAML read each alike. */
public enum YamlStyle {
    /** Jobs: maps and lists of numbers on one line. */
    JOB("[A-Za-z/][A-Za-z0-9_./@+=,-]*(?::[A-Za-z0-9_./@+=,-]+)*", QuoteStyle.JSON, "  "),

    /** Custom resources, which operators read with Go's YAML 1.1, where {@code on} is true and {@code 1_000} a number. */
    RESOURCE("[A-Za-z/][A-Za-z0-9_./@+-]*(?::[A-Za-z0-9_./@+-]+)*", QuoteStyle.ASCII_JSON, "  "),

    /** Manifests: scripts as blocks, and JSON in single quotes, as people write both. */
    MANIFEST("[A-Za-z/]([A-Za-z0-9_./:@+-]*[A-Za-z0-9_./@+-])?", QuoteStyle.ASCII_YAML, "");

    private static final Set<String> WORDS =
            Set.of("y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf");

    /** Lines of printable characters; the first one has no blank at its beginning, where it would be lost. */
    private static final Pattern BLOCK = Pattern.compile("[!-~].*\n(?s:.*)");

    final QuoteStyle quotes;
    final String listIndent;
    private final Pattern plain;

    YamlStyle(String plain, QuoteStyle quotes, String listIndent) {
        this.plain = Pattern.compile(plain);
        this.quotes = quotes;
        this.listIndent = listIndent;
    }

    /** Returns a text as a word when no version of YAML could read it as something else, and in quotes otherwise. */
    String scalar(String text) {
        if (plain.matcher(text).matches() && !WORDS.contains(text.toLowerCase(Locale.ROOT))) {
            return text;
        }
        return this == MANIFEST && text.indexOf('"') >= 0 && text.chars().allMatch(YamlStyle::isPrintable)
                ? "'" + text.replace("'", "''") + "'"
                : quotes.quote(text);
    }

    /** Returns whether a text is printed line by line. */
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
