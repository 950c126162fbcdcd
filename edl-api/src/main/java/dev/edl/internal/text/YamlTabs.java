package dev.edl.internal.text;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;

/**
 * Replaces tabs that separate tokens of a YAML text by spaces, because the YAML parsers of Java reject these tabs.
 * Drops byte order marks, which these parsers accept only at the beginning of the text.
 *
 * <p>The rules are those of the parser of Kubernetes. It accepts tabs in flow collections, and in a line behind a token
 * after which no key can begin. Tabs in scalars and comments stay. A tab that the parser rejects stays too, and ends
 * the replacement. A byte order mark has no effect at the beginning of a line, outside of scalars. The time is linear
 * in the length of the text.
 *
 * @see <a href="https://github.com/yaml/go-yaml/blob/v2.4.3/scannerc.go">go-yaml 2.4.3, scannerc.go</a>
 */
public final class YamlTabs {
    private static final char END = '\0';
    private static final char MARK = '\uFEFF';

    private final char[] text;
    private final BitSet marks = new BitSet();
    private int at;
    private int line;
    private int lineStart;
    private int flowDepth;

    /** Whether a key of a block mapping may begin here. */
    private boolean keyAllowed = true;

    private int keyColumn = -1;
    private int keyLine;

    /** Column of the innermost block collection; -1 outside of all. */
    private int indent = -1;

    private final Deque<Integer> outerIndents = new ArrayDeque<>();

    private YamlTabs(String yaml) {
        text = yaml.toCharArray();
    }

    /**
     * Returns the text with a space in place of each separating tab, and without byte order marks. Each character keeps
     * its line and its column, in which a byte order mark does not count.
     */
    public static String replaced(String yaml) {
        if (yaml.indexOf('\t') < 0 && yaml.indexOf(MARK) < 0) {
            return yaml;
        }
        YamlTabs tabs = new YamlTabs(yaml);
        while (tabs.separation()) {
            tabs.token();
        }
        return tabs.withoutMarks();
    }

    private String withoutMarks() {
        StringBuilder rest = new StringBuilder(text.length);
        for (int i = 0; i < text.length; i++) {
            if (!marks.get(i)) {
                rest.append(text[i]);
            }
        }
        return rest.toString();
    }

    /** Skips the separation before a token. Returns whether a token follows. */
    private boolean separation() {
        while (at < text.length) {
            char next = text[at];
            if (next == '\t' && (flowDepth > 0 || !keyAllowed)) {
                text[at] = ' ';
                at++;
            } else if (next == ' ') {
                at++;
            } else if (next == MARK && column() == 0) {
                marks.set(at);
                at++;
                lineStart = at;
            } else if (next == '#') {
                restOfLine();
            } else if (isBreak(0)) {
                lineBreak();
                keyAllowed |= flowDepth == 0;
            } else {
                return next != '\t';
            }
        }
        return false;
    }

    private void token() {
        int column = column();
        char first = text[at];
        if (flowDepth == 0) {
            leave(column);
        }
        if (column == 0 && first == '%') {
            directive();
        } else if (isMarker()) {
            begin(-1);
            at += 3;
        } else if (first == '{' || first == '[') {
            saveKey(column);
            flowDepth++;
            at++;
        } else if (first == '}' || first == ']') {
            flowDepth = Math.max(0, flowDepth - 1);
            keyAllowed = false;
            at++;
        } else if (first == ',') {
            at++;
        } else if ((first == '-' && isBlankOrEnd(1)) || (first == '?' && (flowDepth > 0 || isBlankOrEnd(1)))) {
            enter(column);
            keyColumn = -1;
            keyAllowed = true;
            at++;
        } else if (first == ':' && (flowDepth > 0 || isBlankOrEnd(1))) {
            value(column);
        } else if ((first == '|' || first == '>') && flowDepth == 0) {
            keyColumn = -1;
            blockScalar();
            keyAllowed = true;
        } else {
            saveKey(column);
            keyAllowed = false;
            scalar(first);
        }
    }

    private void scalar(char first) {
        if (first == '"' || first == '\'') {
            quoted(first);
        } else if (first == '*' || first == '&' || first == '!') {
            while (!isBlankOrEnd(0)) {
                at++;
            }
        } else {
            plain();
        }
    }

    /** Continues behind the colon of a mapping's entry. */
    private void value(int column) {
        boolean simple = keyColumn >= 0 && keyLine == line;
        enter(simple ? keyColumn : column);
        keyAllowed = !simple && flowDepth == 0;
        if (flowDepth == 0) {
            keyColumn = -1;
        }
        at++;
    }

    private void saveKey(int column) {
        if (flowDepth == 0 && keyAllowed) {
            keyColumn = column;
            keyLine = line;
        }
    }

    private void enter(int column) {
        if (flowDepth == 0 && column > indent) {
            outerIndents.push(indent);
            indent = column;
        }
    }

    private void leave(int column) {
        while (indent > column) {
            indent = outerIndents.pop();
        }
    }

    private void begin(int column) {
        leave(column);
        keyColumn = -1;
        keyAllowed = false;
    }

    private void directive() {
        begin(-1);
        for (; !isBreak(0) && peek(0) != '#' && at < text.length; at++) {
            if (text[at] == '\t') {
                text[at] = ' ';
            }
        }
    }

    private void quoted(char quote) {
        at++;
        while (at < text.length) {
            if (isBreak(0)) {
                lineBreak();
            } else if (quote == '"' && text[at] == '\\' && !isBreak(1)) {
                // A tab is an escape for itself, which only its letter is in the parsers of Java.
                if (peek(1) == '\t') {
                    text[at + 1] = 't';
                }
                at += 2;
            } else if (text[at] != quote) {
                at++;
            } else if (quote == '\'' && peek(1) == quote) {
                at += 2;
            } else {
                at++;
                return;
            }
        }
    }

    private void plain() {
        boolean more = true;
        while (more) {
            while (!isBlankOrEnd(0) && !endsPlain()) {
                at++;
            }
            int end = at;
            int endLine = line;
            while (isBlank(0) || isBreak(0)) {
                if (peek(0) == '\t' && line > endLine && column() <= indent) {
                    // The tab violates the indentation.
                    at = text.length;
                    return;
                }
                if (isBreak(0)) {
                    lineBreak();
                } else {
                    at++;
                }
            }
            boolean folded = line > endLine;
            boolean outside = folded && flowDepth == 0 && column() <= indent;
            more = at > end && at < text.length && !outside && !isMarker() && text[at] != '#' && !endsPlain();
            for (int i = end; i < at && (folded || !more); i++) {
                if (text[i] == '\t') {
                    text[i] = ' ';
                }
            }
            keyAllowed = folded;
        }
    }

    private boolean endsPlain() {
        return (peek(0) == ':' && isBlankOrEnd(1)) || (flowDepth > 0 && ",?[]{}".indexOf(peek(0)) >= 0);
    }

    private void blockScalar() {
        int increment = 0;
        for (at++; "+-123456789".indexOf(peek(0)) >= 0; at++) {
            increment = Math.max(increment, Character.digit(peek(0), 10));
        }
        for (; isBlank(0); at++) {
            text[at] = ' ';
        }
        if (peek(0) == '#') {
            restOfLine();
        }
        if (!isBreak(0)) {
            return;
        }
        lineBreak();
        int width = emptyLines(increment > 0 ? Math.max(indent, 0) + increment : 0);
        while (column() == width && at < text.length) {
            restOfLine();
            if (isBreak(0)) {
                lineBreak();
            }
            emptyLines(width);
        }
    }

    /**
     * Skips the empty lines of a block scalar, and the indentation of its next line.
     *
     * @param width number of spaces before each line; 0 to derive it from these lines
     * @return number of spaces before each line
     */
    private int emptyLines(int width) {
        int widest = 0;
        while (true) {
            while (peek(0) == ' ' && (width == 0 || column() < width)) {
                at++;
            }
            widest = Math.max(widest, column());
            if (peek(0) == '\t' && (width == 0 || column() < width)) {
                at = text.length;
            }
            if (!isBreak(0)) {
                return width > 0 ? width : Math.max(widest, Math.max(indent + 1, 1));
            }
            lineBreak();
        }
    }

    private void restOfLine() {
        while (at < text.length && !isBreak(0)) {
            at++;
        }
    }

    private void lineBreak() {
        at += text[at] == '\r' && peek(1) == '\n' ? 2 : 1;
        lineStart = at;
        line++;
    }

    private int column() {
        return at - lineStart;
    }

    private char peek(int ahead) {
        return at + ahead < text.length ? text[at + ahead] : END;
    }

    private boolean isBlank(int ahead) {
        return peek(ahead) == ' ' || peek(ahead) == '\t';
    }

    private boolean isBreak(int ahead) {
        return peek(ahead) == '\n' || peek(ahead) == '\r';
    }

    private boolean isBlankOrEnd(int ahead) {
        return isBlank(ahead) || isBreak(ahead) || at + ahead >= text.length;
    }

    /** Returns whether a document begins or ends here. */
    private boolean isMarker() {
        char mark = peek(0);
        return column() == 0 && (mark == '-' || mark == '.') && peek(1) == mark && peek(2) == mark && isBlankOrEnd(3);
    }
}
