package dev.edl.runtime.wire.control;

import java.time.Duration;

/** Time as this package has it, so that a test can set it. Safe for several threads. */
public interface TimerService {
    /** Returns a time that only rises, in nanoseconds. */
    long nanoTime();

    /**
     * Runs a task once, after a delay, on another thread than the caller's. The task neither waits nor throws.
     *
     * @return takes the alarm back; without effect once it rings
     */
    Runnable schedule(Duration delay, Runnable task);
}
