package dev.edl.status;

/**
 * Phase of a replica as a substrate observes it: Kubernetes' pod phases, plus {@link #BLOCKED} and {@link #DISRUPTED}.
 */
public enum ObservedPhase {
    /** The object exists, but the replica does not run yet: it waits for resources, its image or its start. */
    PENDING,
    /** Not running until a person changes something: its image or its Secret does not exist. */
    BLOCKED,
    /** Running. */
    RUNNING,
    /** Ended with exit code 0. */
    SUCCEEDED,
    /** Ended without success, and not {@link #DISRUPTED}. */
    FAILED,
    /**
     * Ended from outside, while its object still exists: evicted under node pressure, or ended with a node that shuts
     * down. It corresponds to Kubernetes' condition {@code DisruptionTarget} of a failed pod. It counts as deleted.
     */
    DISRUPTED;

    /** Returns whether the replica has ended. */
    public boolean ended() {
        return this == SUCCEEDED || this == FAILED || this == DISRUPTED;
    }
}
