package dev.edl.operators.crd;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Thrown for an invalid resource text, a resource that its operator would reject or break, or a job that cannot be
 * written as a resource. The exception holds every mistake found.
 *
 * <p>The message has one line for each mistake, with the resource, the path, the value and the rule, for example
 * {@code TfJob "example-job": spec.replicaSpec: unknown key; did you mean "replicaSpecs"?}
 */
public final class InvalidResourceException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final List<String> problems;

    /**
     * Creates an exception from the mistakes of a resource.
     *
     * @param resource kind of the resource and, if it has one, its name, such as {@code TfJob "example-job"}
     * @param mistakes at least one mistake, each with path, value and rule
     */
    public InvalidResourceException(String resource, List<String> mistakes) {
        super(mistakes.stream().map(mistake -> resource + ": " + mistake).collect(Collectors.joining("\n")));
        this.problems =
                mistakes.stream().map(mistake -> resource + ": " + mistake).toList();
    }

    /** Returns the mistakes, which are the lines of the message. There is at least one. */
    public List<String> problems() {
        return problems;
    }
}
