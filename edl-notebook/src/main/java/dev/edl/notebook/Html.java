package dev.edl.notebook;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * HTML fragment that is also shown in untrusted notebooks: it uses elements such as {@code table}, {@code pre} and
 * {@code img}, which sanitisers keep. Text becomes HTML only in {@link #escaped}, so that no name can inject markup.
 * Immutable.
 */
final class Html {
    /**
     * Style that left-aligns a cell of a table. A sanitiser drops it, and the cell is right-aligned, as is the default
     * of notebooks.
     */
    private static final String LEFT = " style=\"text-align:left\"";

    /** Style that also keeps a word, such as a name or a time, on one line. */
    private static final String WORD = " style=\"text-align:left;white-space:nowrap\"";

    /** Maximum number of characters of such a word, that of a DNS label. */
    private static final int LONGEST_WORD = 63;

    private static final char UNSHOWN = '\uFFFD';

    private final String markup;

    private Html(String markup) {
        this.markup = markup;
    }

    /** Returns the fragments, one below the other. */
    static Html of(Html... pieces) {
        return new Html(Stream.of(pieces).map(Html::toString).collect(Collectors.joining()));
    }

    /** Returns a line in bold letters. */
    static Html title(String text) {
        return new Html("<p><b>" + escaped(text) + "</b></p>\n");
    }

    /** Returns a line; an empty fragment for an empty text. */
    static Html line(String text) {
        return new Html(text.isEmpty() ? "" : "<p>" + escaped(text) + "</p>\n");
    }

    /** Returns a progress bar, followed by a text. */
    static Html progress(long done, long all, String text) {
        return new Html("<p><progress value=\"" + done + "\" max=\"" + all + "\">" + done + " of " + all
                + "</progress> " + escaped(text) + "</p>\n");
    }

    /** Returns a preformatted text with its blanks and line ends. */
    static Html pre(String text) {
        return new Html("<pre>" + escaped(text) + "</pre>\n");
    }

    /** Returns a table; an empty fragment when it has no rows. */
    static Html table(List<String> head, List<List<String>> rows) {
        if (rows.isEmpty()) {
            return new Html("");
        }
        return new Html("<table>\n<thead>" + row("th", head) + "</thead>\n<tbody>\n"
                + rows.stream().map(row -> row("td", row) + "\n").collect(Collectors.joining())
                + "</tbody>\n</table>\n");
    }

    /** Returns a table without a head; each row has a name and a value. */
    static Html pairs(List<List<String>> rows) {
        return new Html("<table>\n<tbody>\n"
                + rows.stream()
                        .map(row -> "<tr>" + cell("th", row.get(0)) + cell("td", row.get(1)) + "</tr>\n")
                        .collect(Collectors.joining())
                + "</tbody>\n</table>\n");
    }

    private static String row(String cell, List<String> texts) {
        return "<tr>" + texts.stream().map(text -> cell(cell, text)).collect(Collectors.joining()) + "</tr>";
    }

    private static String cell(String cell, String text) {
        boolean word = text.length() <= LONGEST_WORD && text.chars().noneMatch(Character::isWhitespace);
        return "<" + cell + (word ? WORD : LEFT) + ">" + escaped(text).replace("\n", "<br>") + "</" + cell + ">";
    }

    /** Returns a picture as an image; the picture's description replaces it where images are not shown. */
    static Html image(Svg picture) {
        String data = Base64.getEncoder().encodeToString(picture.toString().getBytes(StandardCharsets.UTF_8));
        return new Html("<img src=\"data:image/svg+xml;base64," + data + "\" alt=\"" + escaped(picture.description())
                + "\" width=\"" + picture.width() + "\" height=\"" + picture.height() + "\">\n");
    }

    /**
     * Returns a text escaped for HTML and XML, between tags and in quoted attributes. Characters that XML does not
     * allow, and bidirectional controls, become replacement characters.
     */
    static String escaped(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().forEach(point -> {
            switch (point) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.appendCodePoint(isShown(point) ? point : UNSHOWN);
            }
        });
        return out.toString();
    }

    private static boolean isShown(int point) {
        boolean control = Character.isISOControl(point) && point != '\n' && point != '\t';
        boolean turns = (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
        boolean half = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
        return !control && !turns && !half && point != 0xFFFE && point != 0xFFFF;
    }

    /** Returns the markup. */
    @Override
    public String toString() {
        return markup;
    }
}
