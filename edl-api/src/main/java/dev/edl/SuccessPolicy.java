package dev.edl;

/** When a job has succeeded. */
public enum SuccessPolicy {
    /** When its leading replica succeeds: the master, chief or launcher, else worker 0. The default with a leader. */
    LEADER,
    /** When every worker has succeeded. The default without a leader. */
    ALL_WORKERS
}
