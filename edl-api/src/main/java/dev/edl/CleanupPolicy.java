package dev.edl;

/** Which replicas are removed once the job has ended. */
public enum CleanupPolicy {
    /** None: running replicas go on, ended ones stay for inspection. */
    NONE,
    /** Those that still run; ended ones stay for inspection. The default. */
    RUNNING,
    /** All. */
    ALL
}
