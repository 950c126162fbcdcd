package dev.edl.exec.local;

/**
 * A line that a replica wrote, to its standard output or its standard error.
 *
 * @param job the job's name
 * @param replica the replica within the job, {@code worker-0} or {@code master}
 * @param text the line without its end; bytes that are no UTF-8 are replaced by U+FFFD, and a line above 64 KiB comes in
 *     pieces
 */
public record LogLine(String job, String replica, String text) {
    /** For example {@code [worker-0] step 100}. */
    @Override
    public String toString() {
        return "[" + replica + "] " + text;
    }
}
