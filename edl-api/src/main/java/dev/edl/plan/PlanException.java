package dev.edl.plan;

/**
 * Thrown for a job that is well formed but cannot be planned; the message names the job, the value, the rule and a fix.
 */
public final class PlanException extends RuntimeException {
    /** Creates the exception. */
    public PlanException(String message) {
        super(message);
    }
}
