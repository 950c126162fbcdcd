package dev.edl.runtime.engine;

import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The times of a run.
 *
 * @param wall dates and durations for people; may jump
 * @param nanos nanoseconds since any moment, for leases and bounds; only rises
 */
public record RunClock(InstantSource wall, LongSupplier nanos) {
    /** Measures leases and bounds by the time of this JVM. */
    public static RunClock of(InstantSource wall) {
        return new RunClock(wall, System::nanoTime);
    }
}
