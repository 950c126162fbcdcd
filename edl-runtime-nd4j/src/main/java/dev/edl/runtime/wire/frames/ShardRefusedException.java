package dev.edl.runtime.wire.frames;

/** A server and its caller are not of the same job, or not of the same build; to try again does not help. */
public final class ShardRefusedException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    /**
     * Makes the exception.
     *
     * @param message names the server and what differs
     */
    public ShardRefusedException(String message) {
        super(message);
    }
}
