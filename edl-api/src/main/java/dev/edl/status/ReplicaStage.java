package dev.edl.status;

/** Stage of a replica in the state of its job. */
public enum ReplicaStage {
    /** To be created: its backoff is not over, or the old object of its name still exists. */
    WAITING,
    /** Created, not running yet. */
    PENDING,
    /** Running. */
    RUNNING,
    /** Succeeded; never run again. Final. */
    SUCCEEDED,
    /** Ended without success and without a successor. Final. */
    FAILED,
    /** Ended or deleted, with a successor; forgotten once its object is gone. */
    REPLACED,
    /** Removed by scaling down or by the end of the job; forgotten once its object is gone. */
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
