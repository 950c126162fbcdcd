package dev.edl.runtime.zoo;

/**
 * Thrown when no usable ND4J backend is on the class path; the message has the lines for the pom on this machine.
 *
 * <p>Its cause, if present, is ND4J's own failure.
 */
public final class MissingBackendException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    MissingBackendException(String message, Throwable cause) {
        super(message, cause);
    }
}
