package dev.edl.operators.crd.internal;

import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Kubernetes' references {@code $(NAME)} in values, commands and arguments; {@code $$} is an escaped {@code $}. A job's
 * text is literal, so it is written with {@code $$} where Kubernetes would expand a reference.
 *
 * @see <a href="https://kubernetes.io/docs/tasks/inject-data-application/define-interdependent-environment-variables/">
 *     Kubernetes: dependent environment variables</a>
 */
final class VariableReferences {
    private static final Pattern SYNTAX = Pattern.compile("\\$\\$|\\$\\(([^)]*)\\)");

    private VariableReferences() {}

    /** Returns a text that Kubernetes passes on unchanged. */
    static String literal(String text) {
        return text.contains("$(") || text.contains("$$") ? text.replace("$", "$$") : text;
    }

    /** Returns the text that a process gets if no variable is defined. */
    static String text(String written) {
        return written.replace("$$", "$");
    }

    /** Returns a text in which only some names are references; the others are escaped. */
    static String only(String written, Predicate<String> variable) {
        return SYNTAX.matcher(written).replaceAll(found -> {
            boolean literal = found.group(1) != null && !variable.test(found.group(1));
            return Matcher.quoteReplacement(literal ? "$" + found.group() : found.group());
        });
    }

    /** Whether the text references a variable of the container. */
    static boolean in(String written, Predicate<String> variable) {
        return SYNTAX.matcher(written)
                .results()
                .map(MatchResult::group)
                .filter(found -> found.length() > 3)
                .anyMatch(found -> variable.test(found.substring(2, found.length() - 1)));
    }
}
