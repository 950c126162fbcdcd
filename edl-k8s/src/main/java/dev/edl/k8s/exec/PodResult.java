package dev.edl.k8s.exec;

/**
 * Result of a command in a pod.
 *
 * @param exitCode exit code of the command; 128 plus the signal's number if a signal ended it
 * @param out the beginning of the command's output, decoded as UTF-8
 * @param err the beginning of the command's error output, decoded as UTF-8
 * @param dropped number of bytes of output and error output, together, that were not kept
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
