package dev.edl.runtime.engine.ports;

/**
 * Thrown when a replica cannot continue because a parameter server or the master is absent, or because another process
 * holds its lock or port. The training itself is sound. The replica exits with code 75, EX_TEMPFAIL of BSD's sysexits.
 */
public final class TryAgainException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception. */
    public TryAgainException(String message) {
        super(message);
    }

    /** Creates the exception with a cause. */
    public TryAgainException(String message, Throwable cause) {
        super(message, cause);
    }
}
