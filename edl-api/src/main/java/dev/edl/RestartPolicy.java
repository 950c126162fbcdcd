package dev.edl;

/** Whether a replica that ended without success is relaunched; a replica that succeeded never is. */
public enum RestartPolicy {
    /** Never: the first failure or deletion of the replica is its end. */
    NEVER,
    /** By its exit code ({@link ExitCodePolicy}), within the relaunch limit. The default. */
    ON_FAILURE,
    /** Always, without a limit. */
    ALWAYS
}
