package dev.edl.runtime.wire.control.internal;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/** Pauses between attempts: 50 ms, then twice as long each time, at most 2 s; each shortened by up to a half. For one thread. */
public final class ReconnectBackoff {
    private static final Duration FIRST = Duration.ofMillis(50);
    private static final Duration LONGEST = Duration.ofSeconds(2);

    private final DoubleSupplier jitter;
    private Duration next = FIRST;

    /**
     * Makes the pauses of one wait.
     *
     * @param jitter numbers from 0 (inclusive) to 1 (exclusive), so that callers do not come all at once
     */
    public ReconnectBackoff(DoubleSupplier jitter) {
        this.jitter = jitter;
    }

    public Duration next() {
        Duration whole = next;
        Duration twice = whole.multipliedBy(2);
        next = twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
        return whole.minus(Duration.ofNanos((long) (whole.toNanos() * jitter.getAsDouble() / 2)));
    }
}
