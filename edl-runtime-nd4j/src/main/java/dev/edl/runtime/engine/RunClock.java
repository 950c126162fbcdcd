package dev.edl.runtime.engine;

import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * Clocks of a run.
 *
 * @param wall dates and durations for people; may jump
 * @param nanos nanoseconds since an arbitrary origin, for leases and bounds; monotonic
 */
public record RunClock(InstantSource wall, LongSupplier nanos) {
    /** Returns clocks that measure leases and bounds by the time of this JVM. */
    public static RunClock of(InstantSource wall) {
        return new RunClock(wall, System::nanoTime);
    }
}
