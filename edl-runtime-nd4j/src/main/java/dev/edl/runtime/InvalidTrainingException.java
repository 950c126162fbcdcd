package dev.edl.runtime;

import java.util.List;

/** Thrown for a training with invalid settings; the message has one line for each mistake. */
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

    /** Returns one text for each mistake, with the setting, its value and the rule. */
    public List<String> problems() {
        return problems;
    }
}
