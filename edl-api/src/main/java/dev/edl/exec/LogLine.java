package dev.edl.exec;

/**
 * Line that a replica wrote to its standard output or error, or a note about the replica.
 *
 * @param job the job's name
 * @param replica the replica's name within the job, {@code worker-0} or {@code master}
 * @param text the line without its end; bytes that are not UTF-8 become U+FFFD, and a line above 64 KiB is split into
 *     pieces
 * @param note true if EDL or the replica's node wrote the line, for example that this replica replaces another one, or
 *     that a log file is gone; false if the replica wrote it
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
