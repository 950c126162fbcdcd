package dev.edl.status;

/** What a substrate sees of a replica; Kubernetes' pod phases, and one for a start that cannot succeed. */
public enum ObservedPhase {
    /** Accepted, not running: it waits for room, an image, a start. */
    PENDING,
    /** Not running, and not going to before a person changes something: its image or its Secret does not exist. */
    BLOCKED,
    /** It runs. */
    RUNNING,
    /** It ended by itself, with exit code 0. */
    SUCCEEDED,
    /** It ended otherwise. */
    FAILED,
    /**
     * It was ended from outside, and its object is still there: evicted by its machine for want of memory or disk, or ended with a
     * machine that shuts down; Kubernetes' condition {@code DisruptionTarget} of a pod that has failed. It counts as deleted.
     */
    DISRUPTED;

    /** Whether the replica has ended. */
    public boolean ended() {
        return this == SUCCEEDED || this == FAILED || this == DISRUPTED;
    }
}
