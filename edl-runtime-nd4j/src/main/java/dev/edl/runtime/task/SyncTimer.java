package dev.edl.runtime.task;

import java.time.Duration;

/** Scheduler for the syncs of a journal with {@link Durability#GROUP}; a test may run them itself. */
@FunctionalInterface
public interface SyncTimer {
    /** Schedules a sync once, after a delay, on another thread. Does not wait for the sync and does not throw. */
    void after(Duration delay, Runnable sync);
}
