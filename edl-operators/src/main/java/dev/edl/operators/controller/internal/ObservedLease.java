package dev.edl.operators.controller.internal;

import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import java.time.Duration;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the renewal time of a lease by the time when this program observed the renewal, as client-go does. The time
 * in the lease is from its holder's clock. If that clock is behind, the lease would seem expired; if it is ahead, the
 * lease would last too long. Not thread-safe.
 */
public final class ObservedLease {
    private @Nullable LeaderElectionRecord last;
    private long since;

    /**
     * Returns the lease with a renewal time of this program's clock: the time when this program first read this version
     * of the lease.
     *
     * @param now current time of this program's clock
     * @param nanos nanoseconds of a monotonic clock
     */
    public LeaderElectionRecord observed(LeaderElectionRecord found, ZonedDateTime now, long nanos) {
        if (!found.equals(last)) {
            last = found;
            since = nanos;
        }
        return found.toBuilder()
                .renewTime(now.minus(Duration.ofNanos(nanos - since)))
                .build();
    }
}
