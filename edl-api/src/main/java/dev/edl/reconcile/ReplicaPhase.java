package dev.edl.reconcile;

/** What a substrate sees of a replica; Kubernetes' pod phases, and one for a start that cannot succeed. */
public enum ReplicaPhase {
    /** Accepted, not running: it waits for room, an image, a start. */
    PENDING,
    /** Not running, and not going to before a person changes something: its image or its Secret does not exist. */
    BLOCKED,
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
