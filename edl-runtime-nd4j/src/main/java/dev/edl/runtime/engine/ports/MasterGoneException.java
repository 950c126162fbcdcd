package dev.edl.runtime.engine.ports;

/** The master that was called has left; the caller continues with the next one. Never seen by users. */
public final class MasterGoneException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Makes the exception of one call; it has no stack trace. */
    public MasterGoneException() {
        super("the master has left", null, false, false);
    }
}
