package dev.edl.exec;

/**
 * Line that a replica wrote to its standard output or error, or a note about the replica.
 *
 * @param job the job's name
 * @param replica the replica within the job, {@code worker-0} or {@code master}
 * @param text the line without its end; bytes that are not UTF-8 become U+FFFD, and a line above 64 KiB is split into
 *     pieces
 * @param note whether EDL or the replica's node wrote the line: for example that another replica continues, or that a
 *     log file is gone
 */
public record LogLine(String job, String replica, String text, boolean note) {
    /** Creates a line that a replica wrote. */
    public LogLine(String job, String replica, String text) {
        this(job, replica, text, false);
    }

    /** Returns for example {@code [worker-0] step 100}, or for a note {@code [worker-4] -- replaces worker-0}. */
    @Override
    public String toString() {
        return "[" + replica + "] " + (note ? "-- " : "") + text;
    }
}
