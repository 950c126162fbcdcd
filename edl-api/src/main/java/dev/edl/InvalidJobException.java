package dev.edl;

import dev.edl.internal.text.MessageText;
import java.util.List;

/**
 * Thrown for an invalid job; lists every mistake found in it.
 *
 * <p>The message has one line for each mistake. Each names the path and the value, states the rule and shows a valid
 * form, for example {@code job "mnist": worker.replicas must be at least 1, was 0; for example workers(4)}.
 */
public final class InvalidJobException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final List<String> problems;

    /**
     * Creates the exception from the mistakes of a job.
     *
     * @param job the job's name; empty when it has none
     * @param mistakes at least one mistake, each starting with the path of the wrong setting
     */
    public InvalidJobException(String job, List<String> mistakes) {
        this(mistakes.stream()
                .map(mistake -> (job.isEmpty() ? "job: " : "job \"" + job + "\": ") + mistake)
                .map(MessageText::oneLine)
                .toList());
    }

    private InvalidJobException(List<String> problems) {
        super(String.join("\n", problems));
        this.problems = problems;
    }

    /** Returns the mistakes in the order in which they were found, at least one; each is a line of the message. */
    public List<String> problems() {
        return problems;
    }
}
