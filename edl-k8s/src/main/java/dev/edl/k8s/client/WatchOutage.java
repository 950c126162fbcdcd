package dev.edl.k8s.client;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Start of a watch's interruption, since when its objects may be outdated. It is updated only by calls of
 * {@link #since}: an outage counts from the last call that found the watch connected. Thread-safe.
 */
public final class WatchOutage {
    private final InstantSource clock;
    private Instant connected;

    /** Starts with a connected watch. */
    public WatchOutage(InstantSource clock) {
        this.clock = clock;
        this.connected = clock.instant();
    }

    /**
     * Returns the start of the interruption; empty while the watch is connected.
     *
     * @param connects whether the watch is connected now
     */
    public synchronized Optional<Instant> since(boolean connects) {
        if (!connects) {
            return Optional.of(connected);
        }
        connected = clock.instant();
        return Optional.empty();
    }
}
