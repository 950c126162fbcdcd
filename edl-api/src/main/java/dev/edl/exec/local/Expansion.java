package dev.edl.exec.local;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Variables in commands and arguments, by Kubernetes' rule: {@code $(NAME)} is the value of a variable of the replica, and
 * stays as it is when there is none; {@code $$} is one {@code $}, so that {@code $$(NAME)} is never replaced.
 *
 * @see <a href="https://kubernetes.io/docs/tasks/inject-data-application/define-command-argument-container/">Kubernetes:
 *     define a command and arguments for a container</a>
 */
final class Expansion {
    private static final Pattern REFERENCE = Pattern.compile("\\$(?:\\$|\\(([^)]*)\\))");

    private Expansion() {}

    static String of(String word, Map<String, String> env) {
        Matcher at = REFERENCE.matcher(word);
        return at.replaceAll(found -> {
            String name = found.group(1);
            String text = name == null ? "$" : env.getOrDefault(name, found.group());
            return Matcher.quoteReplacement(text);
        });
    }
}
