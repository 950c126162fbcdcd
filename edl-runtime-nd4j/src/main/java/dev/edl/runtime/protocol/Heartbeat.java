package dev.edl.runtime.protocol;

import java.time.Duration;

/** When a process shows its master that it lives. */
final class Heartbeat {
    static final long EVERY = Duration.ofSeconds(2).toNanos();

    private long dueAt = Long.MIN_VALUE;

    boolean isDue(long now) {
        return now >= dueAt;
    }

    void beaten(long now) {
        dueAt = now + EVERY;
    }

    long dueAt() {
        return dueAt;
    }
}
