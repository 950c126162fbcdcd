package dev.edl.reconcile;

/** What a substrate sees of a replica; Kubernetes' pod phases. */
public enum ReplicaPhase {
    /** Accepted, not running: it waits for room, an image, a start. */
    PENDING,
    /** It runs. */
    RUNNING,
    /** It ended by itself, with exit code 0. */
    SUCCEEDED,
    /** It ended otherwise. */
    FAILED;

    /** Whether the replica has ended. */
    public boolean ended() {
        return this == SUCCEEDED || this == FAILED;
    }
}
