package dev.edl.runtime.engine.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.TrainingEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AbsenceWatchTest {
    private static final String WAITING = "3 workers wait for it";

    private final AbsenceWatch watch = new AbsenceWatch(Duration.ofMinutes(10));
    private final List<String> told = new ArrayList<>();
    private long now;

    /** Looks once a second for some seconds, and records each event with the second of the test. */
    private void poll(int seconds, Set<String> servers, Set<String> workers) {
        for (int i = 0; i < seconds; i++) {
            now += Duration.ofSeconds(1).toNanos();
            poll(servers, workers);
        }
    }

    private void poll(Set<String> servers, Set<String> workers) {
        for (TrainingEvent event : watch.poll(servers, workers, WAITING, now)) {
            boolean overdue = event instanceof TrainingEvent.ReplicaAbsent absent && absent.overdue();
            told.add(Duration.ofNanos(now).toSeconds() + ": " + event + (overdue ? " (overdue)" : ""));
        }
    }

    @Test
    void an_absent_server_is_reported_after_ten_seconds_at_each_doubling_and_at_its_return() {
        poll(1, Set.of(), Set.of());
        poll(45, Set.of("ps-0"), Set.of());
        poll(2, Set.of(), Set.of());

        assertThat(told)
                .containsExactly(
                        "12: ps-0 is absent for 10s; 3 workers wait for it",
                        "22: ps-0 is absent for 20s; 3 workers wait for it",
                        "42: ps-0 is absent for 40s; 3 workers wait for it",
                        "47: ps-0 has returned after 45s");
    }

    @Test
    void an_absence_of_less_than_ten_seconds_is_not_reported() {
        poll(10, Set.of("ps-0"), Set.of("worker-1"));
        poll(1, Set.of(), Set.of());
        poll(10, Set.of("ps-0"), Set.of("worker-1"));
        poll(1, Set.of(), Set.of());

        assertThat(told).isEmpty();
    }

    @Test
    void a_server_is_overdue_after_a_quarter_of_the_absence_timeout_and_at_each_doubling_after_it() {
        poll(322, Set.of("ps-0"), Set.of());

        assertThat(told)
                .containsExactly(
                        "11: ps-0 is absent for 10s; 3 workers wait for it",
                        "21: ps-0 is absent for 20s; 3 workers wait for it",
                        "41: ps-0 is absent for 40s; 3 workers wait for it",
                        "81: ps-0 is absent for 1m20s; 3 workers wait for it",
                        "151: ps-0 is absent for 2m30s; 3 workers wait for it (overdue)",
                        "161: ps-0 is absent for 2m40s; 3 workers wait for it (overdue)",
                        "321: ps-0 is absent for 5m20s; 3 workers wait for it (overdue)");
    }

    @Test
    void the_bound_is_at_least_a_minute() {
        AbsenceWatch brief = new AbsenceWatch(Duration.ofSeconds(20));
        List<TrainingEvent> overdue = new ArrayList<>();
        for (int second = 0; second <= 60; second++) {
            assertThat(overdue).isEmpty();
            brief
                    .poll(
                            Set.of("ps-0"),
                            Set.of(),
                            WAITING,
                            Duration.ofSeconds(second).toNanos())
                    .stream()
                    .filter(event -> event instanceof TrainingEvent.ReplicaAbsent absent && absent.overdue())
                    .forEach(overdue::add);
        }

        assertThat(overdue)
                .containsExactly(new TrainingEvent.ReplicaAbsent("ps-0", Duration.ofMinutes(1), WAITING, true));
    }

    @Test
    void a_server_that_reads_its_state_is_reported_but_not_overdue() {
        poll(5, Set.of("ps-0"), Set.of());
        watch.starts("ps-0");
        poll(200, Set.of("ps-0"), Set.of());

        assertThat(told).hasSize(5).noneMatch(line -> line.endsWith("(overdue)"));
        poll(1, Set.of(), Set.of());
        told.clear();
        poll(151, Set.of("ps-0"), Set.of());
        assertThat(told).contains("357: ps-0 is absent for 2m30s; 3 workers wait for it (overdue)");
    }

    @Test
    void the_successor_of_an_overdue_server_is_not_overdue_while_it_reads_its_state() {
        poll(152, Set.of("ps-0"), Set.of());
        told.clear();
        watch.starts("ps-0");
        poll(20, Set.of("ps-0"), Set.of());
        poll(1, Set.of(), Set.of());

        assertThat(told)
                .containsExactly(
                        "161: ps-0 is absent for 2m40s; 3 workers wait for it", "173: ps-0 has returned after 2m52s");
    }

    @Test
    void a_silent_worker_is_overdue_only_once_its_connection_has_ended() {
        poll(300, Set.of(), Set.of("worker-1"));

        assertThat(told).hasSize(5).noneMatch(line -> line.endsWith("(overdue)"));
        assertThat(told.get(0)).isEqualTo("11: worker-1 is absent for 10s; its tasks wait for it");
        told.clear();
        watch.lost("worker-1");
        poll(400, Set.of(), Set.of());
        assertThat(told).containsExactly("301: worker-1 is absent for 5m; other workers do its tasks (overdue)");
    }

    @Test
    void a_lost_worker_is_reported_once_when_it_is_overdue() {
        watch.lost("worker-1");
        poll(400, Set.of(), Set.of());

        assertThat(told).containsExactly("151: worker-1 is absent for 2m30s; other workers do its tasks (overdue)");
    }

    @Test
    void a_connected_worker_whose_lease_has_expired_may_compute_and_is_never_overdue() {
        watch.expired("worker-1");
        poll(400, Set.of(), Set.of());

        assertThat(told)
                .containsExactly(
                        "151: worker-1 is absent for 2m30s; other workers do its tasks",
                        "301: worker-1 is absent for 5m; other workers do its tasks");
    }

    @Test
    void a_lost_worker_that_calls_again_is_not_overdue() {
        watch.lost("worker-1");
        poll(149, Set.of(), Set.of());
        watch.heard("worker-1", now);
        poll(400, Set.of(), Set.of());

        assertThat(told).isEmpty();
    }

    @Test
    void a_pause_of_this_process_is_no_absence_of_another() {
        poll(1, Set.of("ps-0"), Set.of());
        now += Duration.ofHours(1).toNanos();
        poll(Set.of("ps-0"), Set.of());

        assertThat(told).isEmpty();
        poll(5, Set.of("ps-0"), Set.of());
        assertThat(told).containsExactly("3606: ps-0 is absent for 10s; 3 workers wait for it");
    }
}
