package dev.edl.runtime.model;

/**
 * No usable ND4J backend is on the class path; the message is what to add to the pom for the machine at hand.
 *
 * <p>Its cause, when there is one, is ND4J's own failure.
 */
public final class MissingBackendException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    MissingBackendException(String message, Throwable cause) {
        super(message, cause);
    }
}
