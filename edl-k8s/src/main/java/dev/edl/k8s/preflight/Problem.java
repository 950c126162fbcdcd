package dev.edl.k8s.preflight;

/**
 * Problem that would stop a job, or a topic that could not be checked.
 *
 * @param severity how certain it is that the job will not run
 * @param topic subject of the check that found the problem
 * @param where path of the job's field that causes the problem, such as {@code worker.priority}; several paths are
 *     separated by commas
 * @param what what the check found
 * @param why why the finding stops the job
 * @param fix how to solve the problem
 */
public record Problem(Severity severity, ProblemTopic topic, String where, String what, String why, ProblemFix fix) {
    /** Returns four or five lines: severity, field and finding; the reason; the fix. */
    @Override
    public String toString() {
        return severity + ": " + where + ": " + what + "\n  why: " + why + "\n  fix: "
                + fix.toString().replace("\n", "\n       ");
    }
}
