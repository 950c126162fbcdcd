package dev.edl.k8s.exec;

/**
 * Result of a command in a pod.
 *
 * @param exitCode its exit code; above 128 for a signal: 128 plus its number
 * @param out the beginning of its output, in UTF-8
 * @param err the beginning of its error output, in UTF-8
 * @param dropped number of bytes of both that were not kept
 */
public record PodResult(int exitCode, String out, String err, long dropped) {
    /** Returns whether the exit code is 0. */
    public boolean succeeded() {
        return exitCode == 0;
    }

    /** Returns the exit code and, after a failure, the error output. */
    @Override
    public String toString() {
        return "exit code " + exitCode + (succeeded() || err.isBlank() ? "" : ": " + err.strip())
                + (dropped == 0 ? "" : " (" + dropped + " bytes of output were dropped)");
    }
}
