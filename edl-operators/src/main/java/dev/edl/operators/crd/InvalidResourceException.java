package dev.edl.operators.crd;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A text that is no such resource, a resource that its operator would refuse or ruin, or a job that cannot be written as
 * one at all; with every mistake that was found.
 *
 * <p>The message has one line for each mistake; each names the resource and the path, quotes the value and states the
 * rule, for example {@code TfJob "example-job": spec.replicaSpec: unknown key; did you mean "replicaSpecs"?}
 */
public final class InvalidResourceException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final List<String> problems;

    /**
     * Gathers the mistakes of a resource.
     *
     * @param resource the kind and, when it has one, the name: {@code TfJob "example-job"}
     * @param mistakes at least one
     */
    public InvalidResourceException(String resource, List<String> mistakes) {
        super(mistakes.stream().map(mistake -> resource + ": " + mistake).collect(Collectors.joining("\n")));
        this.problems =
                mistakes.stream().map(mistake -> resource + ": " + mistake).toList();
    }

    /** The mistakes, at least one: the lines of the message. */
    public List<String> problems() {
        return problems;
    }
}
