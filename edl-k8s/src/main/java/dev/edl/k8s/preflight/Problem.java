package dev.edl.k8s.preflight;

/**
 * One thing that would stop a job, or that could not be looked at.
 *
 * @param severity how sure it is
 * @param topic what it is about
 * @param where the path of the job's field that leads to it, such as {@code worker.priority}; several are separated by commas
 * @param what is found
 * @param why that stops the job
 * @param fix what makes it go away
 */
public record Problem(Severity severity, Topic topic, String where, String what, String why, Fix fix) {
    /** Four lines or five: severity, place and finding; the reason; the fix. */
    @Override
    public String toString() {
        return severity + ": " + where + ": " + what + "\n  why: " + why + "\n  fix: "
                + fix.toString().replace("\n", "\n       ");
    }
}
