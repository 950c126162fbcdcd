package dev.edl.operators.controller.internal;

import java.time.Duration;
import java.util.Optional;

/**
 * Backoff of a job whose loop an exception ended. Uses the queue's pause, which grows with each such loop until one has
 * run for half a minute. The queue itself would not pause, because the take-over succeeds each time. Not thread-safe.
 */
public final class LoopRetry {
    /** A loop that ran longer resets the backoff. */
    private static final Duration WELL = Duration.ofSeconds(30);

    private int breaks;
    private long due;

    /** Permits the first loop at once. */
    public LoopRetry(long now) {
        this.due = now;
    }

    /**
     * Records that a loop ended by an exception.
     *
     * @param now nanoseconds of a monotonic clock
     * @return delay until the job may be driven again
     */
    public Duration broke(long now) {
        if (now - due > WELL.toNanos()) {
            breaks = 0;
        }
        Duration pause = WorkQueue.PAUSES.delay(breaks++);
        due = now + pause.toNanos();
        return pause;
    }

    /** Returns the rest of the delay; empty when a loop may start. */
    public Optional<Duration> left(long now) {
        return Optional.of(Duration.ofNanos(due - now)).filter(left -> !left.isNegative() && !left.isZero());
    }
}
