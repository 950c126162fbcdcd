package dev.edl.operators.crd.internal;

import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Kubernetes' references {@code $(NAME)} in values, commands and arguments; {@code $$} is an escaped {@code $}. A job's
 * text is literal, so writers escape it with {@code $$} where Kubernetes would expand a reference.
 *
 * @see <a href="https://kubernetes.io/docs/tasks/inject-data-application/define-interdependent-environment-variables/">
 *     Kubernetes: dependent environment variables</a>
 */
final class VariableReferences {
    private static final Pattern SYNTAX = Pattern.compile("\\$\\$|\\$\\(([^)]*)\\)");

    private VariableReferences() {}

    /** Escapes a literal text, so that Kubernetes passes the original text to the process. */
    static String literal(String text) {
        return text.contains("$(") || text.contains("$$") ? text.replace("$", "$$") : text;
    }

    /** Returns the text that a process gets for a written text if no variable is defined. */
    static String text(String written) {
        return written.replace("$$", "$");
    }

    /** Returns the written text with references escaped, except those to variables that match the predicate. */
    static String only(String written, Predicate<String> variable) {
        return SYNTAX.matcher(written).replaceAll(found -> {
            boolean literal = found.group(1) != null && !variable.test(found.group(1));
            return Matcher.quoteReplacement(literal ? "$" + found.group() : found.group());
        });
    }

    /** Returns whether the written text has an unescaped reference to a variable that matches the predicate. */
    static boolean in(String written, Predicate<String> variable) {
        return SYNTAX.matcher(written)
                .results()
                .map(MatchResult::group)
                .filter(found -> found.length() > 3)
                .anyMatch(found -> variable.test(found.substring(2, found.length() - 1)));
    }
}
