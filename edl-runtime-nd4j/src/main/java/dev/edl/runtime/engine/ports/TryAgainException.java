package dev.edl.runtime.engine.ports;

/**
 * A replica cannot go on now, because a parameter server or the master is away; nothing is wrong with the training. The
 * replica ends with exit code 75, EX_TEMPFAIL of BSD's sysexits.
 */
public final class TryAgainException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Makes the exception. */
    public TryAgainException(String message) {
        super(message);
    }

    /** Makes the exception of a cause. */
    public TryAgainException(String message, Throwable cause) {
        super(message, cause);
    }
}
