package dev.edl.runtime.wire.control;

/** A master has refused a caller, or a caller the master; no repetition helps. The message says what differs. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RefusedException(String message) {
        super(message);
    }
}
