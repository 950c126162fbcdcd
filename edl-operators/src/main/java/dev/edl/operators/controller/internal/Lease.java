package dev.edl.operators.controller.internal;

import java.time.Duration;

/**
 * Lease for which the controllers of one installation compete, with its times: see {@code ControllerBuilder.lease}. The
 * object has the duration in whole seconds of 32 bits, more than 0.
 *
 * @see <a href="https://kubernetes.io/docs/reference/kubernetes-api/cluster-resources/lease-v1/">Kubernetes: Lease</a>
 */
public record Lease(String namespace, String name, Duration duration, Duration renewal, Duration retry) {
    /**
     * Jitter factor of fabric8's elector: it waits a retry period plus up to this multiple of it, and rejects a renewal
     * deadline that is not longer.
     */
    private static final double JITTER = 1.2;

    public Lease {
        if (duration.getNano() != 0 || duration.getSeconds() < 1 || duration.getSeconds() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("a lease's duration must be whole seconds from 1 to " + Integer.MAX_VALUE
                    + ", as its field leaseDurationSeconds is, was " + duration + "; for example 15 s");
        }
        // The comparison of durations comes first, since a very long one has no number of milliseconds.
        if (retry.isNegative()
                || retry.isZero()
                || renewal.compareTo(duration) >= 0
                || retry.compareTo(renewal) >= 0
                || renewal.toMillis() <= retry.toMillis() * (1 + JITTER)) {
            throw new IllegalArgumentException(
                    "a lease's renewal deadline must be more than 2.2 retry periods and less than its duration;"
                            + " for example 2 s, 10 s and 15 s; was " + retry + ", " + renewal + " and " + duration);
        }
    }
}
