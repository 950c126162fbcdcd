package dev.edl.k8s.render.internal;

import java.util.List;

/**
 * Escapes {@code $(NAME)} and {@code $$}, which Kubernetes expands in values, commands and arguments. The process then
 * gets the job's text literally, as on every other substrate.
 *
 * @see <a href="https://kubernetes.io/docs/tasks/inject-data-application/define-interdependent-environment-variables/">
 *     Kubernetes: dependent environment variables</a>
 */
public final class DollarEscape {
    private DollarEscape() {}

    public static String of(String text) {
        return text.contains("$(") || text.contains("$$") ? text.replace("$", "$$") : text;
    }

    public static List<String> of(List<String> words) {
        return words.stream().map(DollarEscape::of).toList();
    }
}
