package dev.edl.runtime.engine;

import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * Clocks of a run.
 *
 * @param wall clock for dates and durations that people read; may jump
 * @param nanos monotonic clock for leases and bounds, in nanoseconds since an arbitrary origin
 */
public record RunClock(InstantSource wall, LongSupplier nanos) {
    /** Returns clocks whose monotonic one is {@link System#nanoTime()}. */
    public static RunClock of(InstantSource wall) {
        return new RunClock(wall, System::nanoTime);
    }
}
