package dev.edl.operators.controller.internal;

import java.time.Duration;
import java.util.Optional;

/**
 * Says when a job is driven again whose loop was lost to an exception of its own: after the queue's pause, which grows with each such
 * loop until one has run for half a minute. A take-over that succeeds proves nothing, so the queue itself would not pause. Not
 * thread-safe.
 */
public final class LoopRetry {
    /** A loop that ran longer did not break at once: the pauses begin anew. */
    private static final Duration WELL = Duration.ofSeconds(30);

    private int breaks;
    private long due;

    /** Lets the first loop begin at once. */
    public LoopRetry(long now) {
        this.due = now;
    }

    /**
     * Notes that a loop broke.
     *
     * @param now nanoseconds of a clock that never goes back
     * @return how long the job is left alone
     */
    public Duration broke(long now) {
        if (now - due > WELL.toNanos()) {
            breaks = 0;
        }
        Duration pause = WorkQueue.PAUSES.delay(breaks++);
        due = now + pause.toNanos();
        return pause;
    }

    /** Returns how long the job is still left alone; empty when a loop may begin. */
    public Optional<Duration> left(long now) {
        return Optional.of(Duration.ofNanos(due - now)).filter(left -> !left.isNegative() && !left.isZero());
    }
}
