package dev.edl.explain;

import java.util.List;

/**
 * Values that a job has without having specified them, with the reasons. Immutable.
 *
 * <pre>{@code
 * Job job = Job.builder().ps(2).workers(4).build();
 * System.out.println(job.explain());              // the table
 * job.explain().implied().get(1).reason();        // why the job has a master
 * }</pre>
 *
 * <p>Equal jobs have equal explanations, also after {@code Job.fromYaml(job.toYaml())}. So a specified value that
 * equals the derived one or the default is listed as well.
 *
 * @param job text of the job on one line
 * @param entries all implied values, followed by all defaults
 */
public record JobExplanation(String job, List<Entry> entries) {
    /** Copies the entries. */
    public JobExplanation {
        entries = List.copyOf(entries);
    }

    /** Origin of a value. */
    public enum Kind {
        /** Required by the rest of the job: a name, a master, a scheduler. */
        IMPLIED,
        /** Default that applies unless the job sets another value. */
        DEFAULT
    }

    /**
     * One implied or default value of the job.
     *
     * @param kind origin of the value
     * @param subject name of the setting, such as {@code name}, {@code master}, {@code image of ps, worker}
     * @param value the value; {@code none} for an absent one
     * @param reason why the job has this value, and how to set another
     */
    public record Entry(Kind kind, String subject, String value, String reason) {}

    /** Returns the values that the rest of the job implies. */
    public List<Entry> implied() {
        return of(Kind.IMPLIED);
    }

    /** Returns the values that are defaults. */
    public List<Entry> defaults() {
        return of(Kind.DEFAULT);
    }

    private List<Entry> of(Kind kind) {
        return entries.stream().filter(entry -> entry.kind() == kind).toList();
    }

    /** Returns the table for people. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(job).append('\n');
        section(text, "Implied", implied());
        section(text, "By default", defaults());
        return text.toString();
    }

    private static void section(StringBuilder text, String title, List<Entry> entries) {
        if (entries.isEmpty()) {
            return;
        }
        int subject = entries.stream().mapToInt(e -> e.subject().length()).max().orElse(0) + 3;
        int value = entries.stream().mapToInt(e -> e.value().length()).max().orElse(0) + 3;
        text.append('\n').append(title).append('\n');
        for (Entry entry : entries) {
            text.append("  ").append(padded(entry.subject(), subject)).append(padded(entry.value(), value));
            text.append(entry.reason()).append('\n');
        }
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(width - text.length());
    }
}
