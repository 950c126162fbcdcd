package dev.edl.explain;

import java.util.List;

/**
 * What a job has without having been asked for it, and why. Immutable.
 *
 * <pre>{@code
 * Job job = Job.builder().ps(2).workers(4).build();
 * System.out.println(job.explain());              // the table
 * job.explain().implied().get(1).reason();        // why the job has a master
 * }</pre>
 *
 * <p>It follows from the job alone: equal jobs have equal explanations, also after {@code Job.fromYaml(job.toYaml())}. So a
 * value that was given, but is the very one that EDL would have taken, is listed too.
 *
 * @param job the job on one line
 * @param entries what was implied, then what is as by default
 */
public record JobExplanation(String job, List<Entry> entries) {
    /** Copies the entries. */
    public JobExplanation {
        entries = List.copyOf(entries);
    }

    /** How a job came to a value. */
    public enum Kind {
        /** The rest of the job needs it: a name, a master, a scheduler. */
        IMPLIED,
        /** It is so unless the job names another value. */
        DEFAULT
    }

    /**
     * One value.
     *
     * @param kind how the job came to it
     * @param subject what has the value: {@code name}, {@code master}, {@code image of ps, worker}
     * @param value the value, {@code none} where there is none
     * @param reason why, and how to name another one
     */
    public record Entry(Kind kind, String subject, String value, String reason) {}

    /** Returns what the rest of the job implied. */
    public List<Entry> implied() {
        return of(Kind.IMPLIED);
    }

    /** Returns what is as by default. */
    public List<Entry> defaults() {
        return of(Kind.DEFAULT);
    }

    private List<Entry> of(Kind kind) {
        return entries.stream().filter(entry -> entry.kind() == kind).toList();
    }

    /** Returns the table for a person. */
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
