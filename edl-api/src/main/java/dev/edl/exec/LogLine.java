package dev.edl.exec;

/**
 * A line that a replica wrote, to its standard output or its standard error; or a note on the replica, which it did not write.
 *
 * @param job the job's name
 * @param replica the replica within the job, {@code worker-0} or {@code master}
 * @param text the line without its end; bytes that are no UTF-8 are replaced by U+FFFD, and a line above 64 KiB comes in
 *     pieces
 * @param note whether EDL says this, as that another replica goes on from here; or the node that runs the replica, as that a log
 *     file is gone
 */
public record LogLine(String job, String replica, String text, boolean note) {
    /** A line that a replica wrote. */
    public LogLine(String job, String replica, String text) {
        this(job, replica, text, false);
    }

    /** For example {@code [worker-0] step 100}, and a note {@code [worker-4] -- goes on for worker-0}. */
    @Override
    public String toString() {
        return "[" + replica + "] " + (note ? "-- " : "") + text;
    }
}
