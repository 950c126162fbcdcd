package dev.edl.runtime.wire.bounds;

import java.time.Duration;

/** Clock and timers, replaceable in tests. Safe for several threads. */
public interface TimerService {
    /** Returns a monotonic time in nanoseconds. */
    long nanoTime();

    /**
     * Runs a task once, after a delay, on another thread than the caller's. The task does not wait; its failure is logged.
     *
     * @return cancels the task; has no effect once it runs
     */
    Runnable schedule(Duration delay, Runnable task);
}
