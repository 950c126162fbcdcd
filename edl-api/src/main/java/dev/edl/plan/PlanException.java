package dev.edl.plan;

/** A job that is well formed but cannot be planned; the message names the job, the value, the rule and a way out. */
public final class PlanException extends RuntimeException {
    /** A refusal. */
    public PlanException(String message) {
        super(message);
    }
}
