package dev.edl.operators.crd.internal;

import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Kubernetes' {@code $(NAME)} in values, commands and arguments: it stands for a variable, and {@code $$} for one
 * {@code $}. What a job says is what its process gets, so it is written with {@code $$} where Kubernetes would look for
 * a variable.
 *
 * @see <a href="https://kubernetes.io/docs/tasks/inject-data-application/define-interdependent-environment-variables/">
 *     Kubernetes: dependent environment variables</a>
 */
final class VariableReferences {
    private static final Pattern SYNTAX = Pattern.compile("\\$\\$|\\$\\(([^)]*)\\)");

    private VariableReferences() {}

    /** A text that Kubernetes hands on as it stands. */
    static String literal(String text) {
        return text.contains("$(") || text.contains("$$") ? text.replace("$", "$$") : text;
    }

    /** What a process gets where no variable is found. */
    static String text(String written) {
        return written.replace("$$", "$");
    }

    /** A text in which only some names stand for variables; the others are handed on as they stand. */
    static String only(String written, Predicate<String> variable) {
        return SYNTAX.matcher(written).replaceAll(found -> {
            boolean literal = found.group(1) != null && !variable.test(found.group(1));
            return Matcher.quoteReplacement(literal ? "$" + found.group() : found.group());
        });
    }

    /** Whether a variable is named that the container has. */
    static boolean in(String written, Predicate<String> variable) {
        return SYNTAX.matcher(written)
                .results()
                .map(MatchResult::group)
                .filter(found -> found.length() > 3)
                .anyMatch(found -> variable.test(found.substring(2, found.length() - 1)));
    }
}
