package dev.edl.exec;

/**
 * A job is not this program's to drive any more: another one took it over, or what it was kept in is gone. A journal or a
 * substrate throws it, and the loop ends at once, without touching anything of the job.
 */
public final class JobLostException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    /** @param message who has it, or what is gone */
    public JobLostException(String message) {
        super(message);
    }
}
