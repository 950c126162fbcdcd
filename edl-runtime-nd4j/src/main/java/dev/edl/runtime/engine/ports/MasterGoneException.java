package dev.edl.runtime.engine.ports;

/** Thrown to a caller whose master has left; the caller continues with the next master. Never seen by users. */
public final class MasterGoneException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception of one call; it has no stack trace. */
    public MasterGoneException() {
        super("the master has left", null, false, false);
    }
}
