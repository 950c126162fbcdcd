package dev.edl.runtime.model;

/**
 * Thrown when a model violates its contract, or computes a loss or gradient that is not finite.
 *
 * <p>The message names the model and, if known, the step, the parameter and the batch.
 */
public final class ModelException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception whose message names the model. */
    public ModelException(String message) {
        super(message);
    }
}
