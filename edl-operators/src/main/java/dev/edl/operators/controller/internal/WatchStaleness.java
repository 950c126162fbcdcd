package dev.edl.operators.controller.internal;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Measures the time since the last event of a watch. A healthy watch gets a bookmark from the API server about once a
 * minute, even when no object changes. No callback reports a bookmark, so a timer polls the watch's resource version.
 * Thread-safe.
 */
public final class WatchStaleness {
    private @Nullable String version;
    private long heard;

    public WatchStaleness(long now) {
        this.heard = now;
    }

    /**
     * Records the progress of the watch.
     *
     * @param latest the last resource version seen; null before the first list
     * @param now nanoseconds of a monotonic clock
     */
    public synchronized void record(@Nullable String latest, long now) {
        if (latest != null && !Objects.equals(latest, version)) {
            version = latest;
            heard = now;
        }
    }

    /** Returns the time since progress was last recorded. */
    public synchronized Duration age(long now) {
        return Duration.ofNanos(now - heard);
    }
}
