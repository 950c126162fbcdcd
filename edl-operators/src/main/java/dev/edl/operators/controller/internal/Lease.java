package dev.edl.operators.controller.internal;

import java.time.Duration;

/** Lease for which the controllers of one installation compete, with its times: see {@code ControllerBuilder.lease}. */
public record Lease(String namespace, String name, Duration duration, Duration renewal, Duration retry) {
    /**
     * Jitter factor of fabric8's elector: it waits a retry period plus up to this multiple of it, and rejects a renewal
     * deadline that is not longer.
     */
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
