package dev.edl.exec;

/**
 * Thrown when this program no longer drives a job. Another program took it over, its record was deleted, its substrate
 * was unreachable for longer than allowed, or an exception in the control loop's own code ended it. A journal or a
 * substrate may throw it too: the loop then ends at once and changes nothing of the job.
 */
public final class JobLostException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    /** @param message the reason, for example the driver that has taken the job over, or the deleted object */
    public JobLostException(String message) {
        super(message);
    }

    /**
     * Creates the exception with a cause.
     *
     * @param message the reason
     * @param cause the exception that ended the loop
     */
    public JobLostException(String message, Throwable cause) {
        super(message, cause);
    }
}
