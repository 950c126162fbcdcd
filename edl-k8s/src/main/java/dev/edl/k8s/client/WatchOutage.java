package dev.edl.k8s.client;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Knows since when a watch is interrupted, so that what it shows may be outdated. It learns by being asked: an outage counts from the
 * last time that it was asked while the watch was connected. Thread-safe.
 */
public final class WatchOutage {
    private final InstantSource clock;
    private Instant connected;

    /** Takes a watch that is connected at this moment. */
    public WatchOutage(InstantSource clock) {
        this.clock = clock;
        this.connected = clock.instant();
    }

    /**
     * Returns since when the watch is interrupted; empty while it is connected.
     *
     * @param connects whether it is connected now
     */
    public synchronized Optional<Instant> since(boolean connects) {
        if (!connects) {
            return Optional.of(connected);
        }
        connected = clock.instant();
        return Optional.empty();
    }
}
