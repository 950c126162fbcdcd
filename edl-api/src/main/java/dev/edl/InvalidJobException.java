package dev.edl;

import java.util.List;

/**
 * A job that cannot be, with every mistake that was found in it.
 *
 * <p>The message has one line for each mistake; each quotes the value, states the rule, shows a valid form and names the
 * path, for example {@code job "mnist": worker.replicas must be at least 1, was 0; for example workers(4)}.
 */
public final class InvalidJobException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final List<String> problems;

    /**
     * Gathers the mistakes of a job.
     *
     * @param job the job's name; empty when it has none
     * @param mistakes at least one, each starting with its path
     */
    public InvalidJobException(String job, List<String> mistakes) {
        this(mistakes.stream()
                .map(mistake -> (job.isEmpty() ? "job: " : "job \"" + job + "\": ") + mistake)
                .map(InvalidJobException::oneLine)
                .toList());
    }

    private InvalidJobException(List<String> problems) {
        super(String.join("\n", problems));
        this.problems = problems;
    }

    /** What was quoted may hold line breaks and other characters that would tear the message. */
    static String oneLine(String problem) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < problem.length(); i++) {
            char c = problem.charAt(i);
            line.append(Character.isISOControl(c) ? String.format("\\u%04x", (int) c) : String.valueOf(c));
        }
        return line.toString();
    }

    /** The mistakes, at least one: the lines of the message, in the order in which they were made. */
    public List<String> problems() {
        return problems;
    }
}
