package dev.edl.runtime.task;

import java.time.Duration;

/** Runs the syncs of a journal that is opened with {@link Durability#GROUP}; a test may run them itself. */
@FunctionalInterface
public interface SyncTimer {
    /** Runs a sync once, after a delay, on another thread. It does not wait for it, and does not throw. */
    void after(Duration delay, Runnable sync);
}
