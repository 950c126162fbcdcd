package dev.edl.runtime.wire.control.internal;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * Exponential backoff between connection attempts: 50 ms, doubling up to 2 s, each shortened by up to a half at random.
 * For one thread.
 */
public final class ReconnectBackoff {
    private static final Duration FIRST = Duration.ofMillis(50);
    private static final Duration LONGEST = Duration.ofSeconds(2);

    private final DoubleSupplier jitter;
    private Duration next = FIRST;

    /**
     * Makes the backoff of one wait.
     *
     * @param jitter numbers from 0 (inclusive) to 1 (exclusive), so that callers do not all connect at once
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
