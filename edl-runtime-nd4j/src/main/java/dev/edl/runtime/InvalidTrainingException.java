package dev.edl.runtime;

import java.util.List;

/** A training that cannot run as it was composed; the message has one line for each mistake. */
public final class InvalidTrainingException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    public InvalidTrainingException(List<String> problems) {
        super(
                problems.size() == 1
                        ? "training: " + problems.get(0)
                        : "training: " + problems.size() + " mistakes\n  " + String.join("\n  ", problems));
        this.problems = List.copyOf(problems);
    }

    /** Each mistake: what, the value, the rule. */
    public List<String> problems() {
        return problems;
    }
}
