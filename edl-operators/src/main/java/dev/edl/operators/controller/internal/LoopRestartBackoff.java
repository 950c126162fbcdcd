package dev.edl.operators.controller.internal;

import java.time.Duration;
import java.util.Optional;

/**
 * Backoff before a job is driven again after an exception ended its control loop. The delays are those of
 * {@link WorkQueue}, and grow with each such loop until one has run for half a minute. The queue itself would not
 * pause, because taking the job over succeeds each time. Not thread-safe.
 */
public final class LoopRestartBackoff {
    /** Run time of a loop after which the backoff is reset. */
    private static final Duration WELL = Duration.ofSeconds(30);

    private int breaks;
    private long due;

    /**
     * Creates a backoff that permits the first loop at once.
     *
     * @param now nanoseconds of a monotonic clock
     */
    public LoopRestartBackoff(long now) {
        this.due = now;
    }

    /**
     * Records that a loop ended by an exception.
     *
     * @param now nanoseconds of a monotonic clock
     * @return delay until the job may be driven again
     */
    public Duration recordFailure(long now) {
        if (now - due > WELL.toNanos()) {
            breaks = 0;
        }
        Duration pause = WorkQueue.PAUSES.delay(breaks++);
        due = now + pause.toNanos();
        return pause;
    }

    /** Returns the rest of the current delay; empty when the job may be driven. */
    public Optional<Duration> left(long now) {
        return Optional.of(Duration.ofNanos(due - now)).filter(left -> !left.isNegative() && !left.isZero());
    }
}
