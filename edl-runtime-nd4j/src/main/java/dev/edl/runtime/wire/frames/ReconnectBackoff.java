package dev.edl.runtime.wire.frames;

import dev.edl.runtime.ConnectionSettings;
import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * Exponential backoff between connection attempts: pauses that double up to a longest one, each shortened by up to a
 * half at random. For one thread.
 */
public final class ReconnectBackoff {
    private final Duration longest;
    private final DoubleSupplier jitter;
    private Duration next;

    /**
     * Creates the backoff of one wait.
     *
     * @param jitter numbers from 0 (inclusive) to 1 (exclusive), so that callers do not all connect at once
     */
    public ReconnectBackoff(ConnectionSettings settings, DoubleSupplier jitter) {
        this.next = settings.firstPause();
        this.longest = settings.longestPause();
        this.jitter = jitter;
    }

    /** Returns the next pause. */
    public Duration next() {
        Duration whole = next;
        Duration twice = whole.multipliedBy(2);
        next = twice.compareTo(longest) < 0 ? twice : longest;
        return whole.minus(Duration.ofNanos((long) (whole.toNanos() * jitter.getAsDouble() / 2)));
    }
}
