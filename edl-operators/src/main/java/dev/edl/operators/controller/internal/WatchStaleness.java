package dev.edl.operators.controller.internal;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Knows how long a watch has told nothing. A healthy one has a bookmark from the API server about once a minute, also where no object
 * changes. Nothing tells of a bookmark, so the watch is looked at again and again. Thread-safe.
 */
public final class WatchStaleness {
    private @Nullable String version;
    private long heard;

    public WatchStaleness(long now) {
        this.heard = now;
    }

    /**
     * Notes what the watch has told until now.
     *
     * @param latest the resource version that it has seen; null before the first list
     * @param now nanoseconds of a clock that never goes back
     */
    public synchronized void look(@Nullable String latest, long now) {
        if (latest != null && !Objects.equals(latest, version)) {
            version = latest;
            heard = now;
        }
    }

    /** Returns the time since the watch was found to have told something, by the looks until now. */
    public synchronized Duration age(long now) {
        return Duration.ofNanos(now - heard);
    }
}
