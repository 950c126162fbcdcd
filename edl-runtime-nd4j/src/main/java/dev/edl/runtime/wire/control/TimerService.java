package dev.edl.runtime.wire.control;

import java.time.Duration;

/** Clock and timers of this package, replaceable in tests. Safe for several threads. */
public interface TimerService {
    /** Returns a monotonic time in nanoseconds. */
    long nanoTime();

    /**
     * Runs a task once, after a delay, on another thread than the caller's. The task neither waits nor throws.
     *
     * @return cancels the task; has no effect once it runs
     */
    Runnable schedule(Duration delay, Runnable task);
}
