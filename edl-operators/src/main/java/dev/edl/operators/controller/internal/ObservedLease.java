package dev.edl.operators.controller.internal;

import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import java.time.Duration;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/**
 * Gives a lease the renewal time at which this program observed the renewal, as client-go does. The time in the lease is one of its
 * holder's clock: compared with this program's, it makes a lease seem to have run out when the holder's clock is behind, and to
 * last too long when that is ahead. Not thread-safe.
 */
public final class ObservedLease {
    private @Nullable LeaderElectionRecord last;
    private long since;

    /**
     * Returns a lease that was read, renewed when it was first read as it is.
     *
     * @param now the time of this program's clock
     * @param nanos a time that no setting of that clock changes
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
