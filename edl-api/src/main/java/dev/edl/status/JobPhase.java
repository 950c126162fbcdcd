package dev.edl.status;

/** Where a job is in its life. */
public enum JobPhase {
    /** Its leader, or without one its first worker, has not run yet; other replicas may run already. */
    PENDING,
    /** Its leader, or without one a worker, has run. */
    RUNNING,
    /** Nothing of it runs, until it is resumed; then it is pending again. */
    SUSPENDED,
    /** It reached its goal; final. */
    SUCCEEDED,
    /** It ended without reaching its goal; final. */
    FAILED,
    /** It was stopped on request; final. */
    CANCELLED;

    /** Whether the phase is final. */
    public boolean ended() {
        return this == SUCCEEDED || this == FAILED || this == CANCELLED;
    }
}
