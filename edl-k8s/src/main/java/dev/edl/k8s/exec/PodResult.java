package dev.edl.k8s.exec;

/**
 * What a command in a pod left.
 *
 * @param exitCode its exit code; above 128 the number of a signal and 128
 * @param out the beginning of its output, in UTF-8
 * @param err the beginning of its error output, in UTF-8
 * @param dropped how many bytes of both were more than is kept
 */
public record PodResult(int exitCode, String out, String err, long dropped) {
    /** Whether the exit code is 0. */
    public boolean succeeded() {
        return exitCode == 0;
    }

    /** The exit code and, when it has failed, the error output. */
    @Override
    public String toString() {
        return "exit code " + exitCode + (succeeded() || err.isBlank() ? "" : ": " + err.strip())
                + (dropped == 0 ? "" : " (" + dropped + " bytes of output were dropped)");
    }
}
