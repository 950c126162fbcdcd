package dev.edl.runtime.engine;

/** Thrown when the training cannot be completed and no retry can help; its message becomes the message of the job. */
public final class TrainingFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TrainingFailedException(String message) {
        super(message);
    }

    TrainingFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
