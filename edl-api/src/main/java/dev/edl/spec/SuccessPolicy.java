package dev.edl.spec;

/** Condition under which a job has succeeded. */
public enum SuccessPolicy {
    /** The leading replica succeeds: the master, chief or launcher, otherwise worker 0. The default with a leader. */
    LEADER,
    /** Every worker succeeds. The default without a leader. */
    ALL_WORKERS
}
