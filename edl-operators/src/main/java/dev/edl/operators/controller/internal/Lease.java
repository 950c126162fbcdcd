package dev.edl.operators.controller.internal;

import java.time.Duration;

/** Lease of the controllers of one installation, with its times. */
public record Lease(String namespace, String name, Duration duration, Duration renewal, Duration retry) {
    /** fabric8's elector adds up to this multiple of its retry period, and rejects a shorter renewal deadline. */
    private static final double JITTER = 1.2;

    public Lease {
        double least = retry.toMillis() * (1 + JITTER);
        if (retry.isNegative() || retry.isZero() || renewal.toMillis() <= least || renewal.compareTo(duration) >= 0) {
            throw new IllegalArgumentException(
                    "a lease's renewal deadline must be more than 2.2 retry periods and less than its duration;"
                            + " for example 2 s, 10 s and 15 s; was " + retry + ", " + renewal + " and " + duration);
        }
    }
}
