package dev.edl.runtime.task.journal;

import java.time.Duration;

/** Scheduler for the syncs of a journal with {@link Durability#GROUP}; a test's timer may run the syncs itself. */
@FunctionalInterface
public interface SyncTimer {
    /** Schedules one run of a sync after a delay, on another thread. Must neither wait for the sync nor throw. */
    void after(Duration delay, Runnable sync);
}
