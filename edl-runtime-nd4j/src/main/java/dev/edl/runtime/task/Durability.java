package dev.edl.runtime.task;

/** What an event of a journal survives once it has been appended. */
public enum Durability {
    /**
     * The end of the master that has the journal open, when it closes the journal: events are kept in memory, up to 32 KiB of them, until
     * then. For a journal that only another master of the same process will read.
     */
    CLOSE,
    /** The end of the process: events are with the operating system. */
    PROCESS,
    /**
     * The end of the process; the end of the machine, but for the events of the last 50 ms and of a sync that runs. Events
     * are with the operating system at once, and all events of 50 ms are synced together. That is enough where the shards
     * know what was applied: a ledger that lost its last events is compared with them.
     */
    GROUP,
    /** The end of the machine: events are on the disk. */
    MACHINE
}
