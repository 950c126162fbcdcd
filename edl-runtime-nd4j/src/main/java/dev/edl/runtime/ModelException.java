package dev.edl.runtime;

/**
 * A model broke its contract, or computed a loss or a gradient that is not a finite number.
 *
 * <p>The message names the model, and where they are known the step, the parameter and the batch.
 */
public final class ModelException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ModelException(String message) {
        super(message);
    }
}
