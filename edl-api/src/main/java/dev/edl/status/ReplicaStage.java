package dev.edl.status;

/** What the core knows of a replica. */
public enum ReplicaStage {
    /** To be created: the delay of its relaunch has not passed, or the object that had its name is not gone. */
    WAITING,
    /** Created, not running yet. */
    PENDING,
    /** Running. */
    RUNNING,
    /** Ended with success; never run again. Final. */
    SUCCEEDED,
    /** Ended without success and without a successor. Final. */
    FAILED,
    /** Ended or deleted, with a successor; forgotten once its object is gone. */
    REPLACED,
    /** Removed by scaling down or by the end of the job; forgotten once its object is gone. */
    REMOVED;

    /** Whether it runs or is going to. */
    public boolean alive() {
        return this == WAITING || this == PENDING || this == RUNNING;
    }

    /** Whether it fills one of the places that its role has: all do that were neither replaced nor removed. */
    public boolean occupiesSlot() {
        return this != REPLACED && this != REMOVED;
    }
}
