package dev.edl.k8s.controller;

import java.time.Duration;

/** The Lease that controllers of one installation stand for, and its times. */
record Lease(String namespace, String name, Duration duration, Duration renewal, Duration retry) {
    Lease {
        if (retry.compareTo(renewal) >= 0 || renewal.compareTo(duration) >= 0) {
            throw new IllegalArgumentException(
                    "a lease is retried more often than it has to be renewed, and that before it runs out;"
                            + " for example 2 s, 10 s and 15 s; was " + retry + ", " + renewal + " and " + duration);
        }
    }
}
