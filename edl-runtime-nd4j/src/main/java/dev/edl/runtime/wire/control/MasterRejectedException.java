package dev.edl.runtime.wire.control;

/**
 * Thrown when the authenticated master has refused the caller. Retries do not help. The message names the difference.
 */
public final class MasterRejectedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MasterRejectedException(String message) {
        super(message);
    }
}
