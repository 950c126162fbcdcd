package dev.edl.spec;

/** Policy for relaunching a replica that ended without success; a replica that succeeded is never relaunched. */
public enum RestartPolicy {
    /** Never: the first failure or deletion ends the replica. */
    NEVER,
    /** According to the exit code ({@link ExitCodePolicy}), within the relaunch limit. The default. */
    ON_FAILURE,
    /** Always, without a limit. */
    ALWAYS
}
