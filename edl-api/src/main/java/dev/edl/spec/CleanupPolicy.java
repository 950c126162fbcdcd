package dev.edl.spec;

/** Replicas that are deleted once the job has ended. */
public enum CleanupPolicy {
    /** Deletes none: running replicas continue, ended ones stay for inspection. */
    NONE,
    /** Deletes running replicas; ended ones stay for inspection. The default. */
    RUNNING,
    /** Deletes all replicas. */
    ALL
}
