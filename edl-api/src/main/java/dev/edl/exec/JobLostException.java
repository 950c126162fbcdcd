package dev.edl.exec;

/**
 * Thrown when this program no longer drives a job. Another program took it over, its record was deleted, its substrate
 * was unreachable for longer than allowed, or the loop itself failed. A journal or a substrate may throw it. The loop
 * then ends at once and changes nothing of the job.
 */
public final class JobLostException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    /** @param message the driver that has taken the job over, or the deleted object */
    public JobLostException(String message) {
        super(message);
    }

    /**
     * Creates the exception with a cause.
     *
     * @param message the driver that has taken the job over, or the deleted object
     * @param cause the loop's failure
     */
    public JobLostException(String message, Throwable cause) {
        super(message, cause);
    }
}
