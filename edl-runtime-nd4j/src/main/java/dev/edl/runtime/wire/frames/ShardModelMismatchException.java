package dev.edl.runtime.wire.frames;

/** Thrown when an authenticated server and its caller have different models; retries do not help. */
public final class ShardModelMismatchException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    /**
     * Creates the exception.
     *
     * @param message names the server and the differences
     */
    public ShardModelMismatchException(String message) {
        super(message);
    }
}
