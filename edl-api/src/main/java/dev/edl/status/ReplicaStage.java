package dev.edl.status;

/** Stage of a replica in the state of its job. */
public enum ReplicaStage {
    /**
     * To be created, but not yet: for example, its backoff is not over, the old object of its name still exists, or the
     * job is suspended.
     */
    WAITING,
    /** Creation requested; not running yet. */
    PENDING,
    /** Running. */
    RUNNING,
    /** Ended with success; never relaunched. Final. */
    SUCCEEDED,
    /** Ended without success and without a successor. Final. */
    FAILED,
    /** Ended or deleted, with a successor of another name. Leaves the job state once its object is gone. */
    REPLACED,
    /** Removed by scaling down, suspension or the end of the job. Leaves the job state once its object is gone. */
    REMOVED;

    /** Returns whether it runs or is going to run. */
    public boolean alive() {
        return this == WAITING || this == PENDING || this == RUNNING;
    }

    /** Returns whether it occupies a slot of its role: every stage except {@link #REPLACED} and {@link #REMOVED}. */
    public boolean occupiesSlot() {
        return this != REPLACED && this != REMOVED;
    }
}
