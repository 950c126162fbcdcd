package dev.edl.internal.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Splits one command into words as a POSIX shell does, and quotes words. Supports quotes, backslashes, continued lines
 * and plain variables. Rejects syntax that needs a shell: substitutions, pipes, redirections, globs.
 */
public final class ShellWords {
    private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");
    private static final String SPECIAL = ";|&<>()`*?[]{}#~!\n";

    private final String text;
    private final Map<String, String> variables;
    private final Consumer<String> problems;
    private final List<String> words = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private boolean begun;
    private boolean torn;
    private int at;

    private ShellWords(String text, Map<String, String> variables, Consumer<String> problems) {
        this.text = text;
        this.variables = variables;
        this.problems = problems;
    }

    /**
     * Splits a command into words, and passes each mistake to {@code problems}. After a mistake, the words may be
     * incomplete.
     *
     * @param variables values of the shell's variables, by name
     */
    public static List<String> split(String text, Map<String, String> variables, Consumer<String> problems) {
        ShellWords words = new ShellWords(text.strip(), variables, problems);
        words.split();
        return words.words;
    }

    private void split() {
        while (at < text.length()) {
            char c = text.charAt(at++);
            switch (c) {
                case ' ', '\t' -> end();
                case '\'' -> single();
                case '"' -> twice();
                case '\\' -> escaped();
                case '$' -> variable();
                default -> {
                    if (SPECIAL.indexOf(c) >= 0 && !(c == '#' && begun) && !(c == '~' && begun)) {
                        problems.accept("the command line must be one command without the shell's \""
                                + (c == '\n' ? "new line" : String.valueOf(c)) + "\" outside of quotes"
                                + (c == '\n' ? "; end a continued line with a backslash" : ""));
                    } else {
                        word.append(c);
                    }
                    begun = true;
                }
            }
        }
        end();
    }

    private void end() {
        if (begun) {
            words.add(word.toString());
        }
        word.setLength(0);
        begun = false;
    }

    private void single() {
        begun = true;
        int close = text.indexOf('\'', at);
        if (close < 0) {
            problems.accept("a single quote is not closed: " + MessageText.quoted(text.substring(at - 1)));
            close = text.length();
        }
        word.append(text, at, close);
        at = Math.min(close + 1, text.length());
    }

    private void twice() {
        begun = true;
        int start = at - 1;
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return;
            }
            if (c == '$') {
                variable();
            } else if (c == '`') {
                problems.accept("the command line must be one command without the shell's \"`\"");
            } else if (c == '\\' && at < text.length() && "$`\"\\\n".indexOf(text.charAt(at)) >= 0) {
                char next = text.charAt(at++);
                if (next != '\n') {
                    word.append(next);
                }
            } else {
                word.append(c);
            }
        }
        if (!torn) {
            problems.accept("a double quote is not closed: " + MessageText.quoted(text.substring(start)));
        }
    }

    private void escaped() {
        if (at == text.length()) {
            return;
        }
        char next = text.charAt(at++);
        int line = text.indexOf('\n', at);
        if (line > 0 && (next + text.substring(at, line)).isBlank() && next != '\n' && next != '\r') {
            problems.accept("a backslash that continues a line must be its last character, was followed by blanks");
            at = line + 1;
            return;
        }
        if (next == '\r' && at < text.length() && text.charAt(at) == '\n') {
            next = text.charAt(at++);
        }
        if (next != '\n') {
            word.append(next);
            begun = true;
        }
    }

    private void variable() {
        begun = true;
        boolean braces = at < text.length() && text.charAt(at) == '{';
        int start = braces ? at + 1 : at;
        int stop = start;
        while (stop < text.length()
                && (Character.isLetterOrDigit(text.charAt(stop)) || text.charAt(stop) == '_')
                && text.charAt(stop) < 128) {
            stop++;
        }
        String name = text.substring(start, stop);
        if (!KubernetesSyntax.isEnvName(name) || (braces && (stop == text.length() || text.charAt(stop) != '}'))) {
            problems.accept("only plain variables such as $PROJECT_ID or ${PROJECT_ID} can be read, was "
                    + MessageText.quoted(text.substring(at - 1)));
            // The text that the shell would substitute here is unknown, so the rest cannot be split.
            torn = true;
            at = text.length();
            return;
        }
        at = braces ? stop + 1 : stop;
        String value = variables.get(name);
        if (value == null) {
            problems.accept("the variable " + name + " has no value; give it, for example Map.of(\"" + name
                    + "\", \"…\"), or put it into single quotes to keep it as text");
            return;
        }
        word.append(value);
    }

    /** Returns a word as it is written in a shell: with single quotes if it has characters with a meaning there. */
    public static String quote(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
