package dev.edl.operators.controller.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import java.time.Duration;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObservedLeaseTest {
    private static final ZonedDateTime NOW = ZonedDateTime.parse("2026-01-01T00:00:00Z");
    private static final Duration LEASE = Duration.ofSeconds(15);

    private final ObservedLease lease = new ObservedLease();

    /** Returns the observed renewal time, so many seconds after the start, of a holder with clock skew. */
    private ZonedDateTime seen(long second, long renewed, long skew) {
        LeaderElectionRecord found = new LeaderElectionRecord("other", LEASE, NOW, NOW.plusSeconds(renewed + skew), 0);
        return lease.observed(found, NOW.plusSeconds(second), second * 1_000_000_000)
                .getRenewTime();
    }

    @ParameterizedTest
    @ValueSource(longs = {-20, 0, 20})
    void a_renewed_lease_is_valid_whatever_its_holders_clock(long skew) {
        for (long second = 0; second < 60; second += 2) {
            assertThat(seen(second, second, skew)).isEqualTo(NOW.plusSeconds(second));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-20, 0, 20})
    void a_lease_expires_by_the_local_clock(long skew) {
        for (long second = 0; second < 60; second += 2) {
            assertThat(seen(second, 0, skew)).isEqualTo(NOW);
        }
    }

    @Test
    void setting_this_clock_forward_expires_no_lease() {
        LeaderElectionRecord found = new LeaderElectionRecord("other", LEASE, NOW, NOW, 0);
        lease.observed(found, NOW, 0);
        ZonedDateTime later = NOW.plusHours(1);

        assertThat(lease.observed(found, later, 2_000_000_000).getRenewTime()).isEqualTo(later.minusSeconds(2));
    }

    @Test
    void the_rest_of_the_lease_stays() {
        LeaderElectionRecord found = new LeaderElectionRecord("other", LEASE, NOW.minusDays(1), NOW.plusSeconds(3), 7);

        assertThat(lease.observed(found, NOW, 0))
                .isEqualTo(found.toBuilder().renewTime(NOW).build());
    }
}
