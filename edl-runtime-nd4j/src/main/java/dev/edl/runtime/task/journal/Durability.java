package dev.edl.runtime.task.journal;

/** Guarantee of a journal: the failures that an event survives once it is appended. */
public enum Durability {
    /**
     * Events survive the end of the master only if it closes the journal. Until then up to 32 KiB of events stay in
     * memory. For a journal that only another master of the same process reads.
     */
    CLOSE,
    /** Events survive the end of the process: they are written to the operating system. */
    PROCESS,
    /**
     * Events survive the end of the process. If the machine fails, the events of the last 50 ms and of a running sync
     * are lost. Events are written to the operating system at once, and all events of 50 ms are synced together. This
     * suffices if the shards record which pushes they applied: a ledger that lost its last events is compared with
     * them.
     */
    GROUP,
    /** Events survive the end of the machine: they are synced to disk. */
    MACHINE
}
