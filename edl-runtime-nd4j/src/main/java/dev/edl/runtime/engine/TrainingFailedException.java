package dev.edl.runtime.engine;

/** The training cannot be completed, and no repetition can help; the message is the job's. */
public final class TrainingFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TrainingFailedException(String message) {
        super(message);
    }

    TrainingFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
