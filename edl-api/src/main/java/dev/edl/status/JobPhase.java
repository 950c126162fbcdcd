package dev.edl.status;

/** Phase of a job. */
public enum JobPhase {
    /** The leader has not run yet; if the job has no leader role, no worker has. Other replicas may run already. */
    PENDING,
    /** The leader has run; if the job has no leader role, a worker has. */
    RUNNING,
    /**
     * The job was suspended on request: no replica is created until it is resumed. A resumed job is {@link #PENDING}.
     */
    SUSPENDED,
    /** The job succeeded; final. */
    SUCCEEDED,
    /** The job failed; final. */
    FAILED,
    /** The job was cancelled on request; final. */
    CANCELLED;

    /** Returns whether the phase is final. */
    public boolean ended() {
        return this == SUCCEEDED || this == FAILED || this == CANCELLED;
    }
}
