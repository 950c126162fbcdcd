package dev.edl.k8s.render.internal;

import java.util.List;

/**
 * Text that Kubernetes hands on as it stands. In values, commands and arguments it replaces {@code $(NAME)} and reads
 * {@code $$} as one {@code $}; what a job says is what its process gets, on Kubernetes as anywhere else.
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
