package dev.edl.k8s.preflight;

/**
 * Problem that would stop a job, or a topic that could not be checked.
 *
 * @param severity how certain it is
 * @param topic the check that found it
 * @param where the path of the job's field that leads to it, such as {@code worker.priority}; several are separated by
 *     commas
 * @param what the finding
 * @param why that stops the job
 * @param fix its remedy
 */
public record Problem(Severity severity, ProblemTopic topic, String where, String what, String why, ProblemFix fix) {
    /** Returns four or five lines: severity, field and finding; the reason; the fix. */
    @Override
    public String toString() {
        return severity + ": " + where + ": " + what + "\n  why: " + why + "\n  fix: "
                + fix.toString().replace("\n", "\n       ");
    }
}
