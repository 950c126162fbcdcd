package dev.edl.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.Action;
import dev.edl.status.JobPhase;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Decisions with so many actions that they take minutes: a caller's request interrupts them. */
class ManyActionsTest {
    private static final int MADE = 60;

    private final JobPlan plan = Job.named("large")
            .image("i")
            .master()
            .workers(199, workers -> workers.elastic(1, 300))
            .build()
            .plan();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private Runnable meanwhile = () -> {};

    private final SimPlace place = new SimPlace() {
        @Override
        public void apply(JobPlan of, Action action) {
            super.apply(of, action);
            if (applied.size() == MADE) {
                meanwhile.run();
            }
        }
    };

    private final ControlLoop job = ControlLoop.of(plan, place).clock(() -> now).manual();

    @Test
    void a_job_that_is_cancelled_while_it_is_created_creates_no_more() {
        meanwhile = job::cancel;
        job.step();
        assertThat(place.objects).hasSize(MADE);

        job.step();
        place.sweep();
        assertThat(job.status().phase()).isEqualTo(JobPhase.CANCELLED);
        assertThat(place.objects).isEmpty();
        assertThat(place.applied)
                .filteredOn(action -> action.startsWith("create"))
                .hasSize(MADE);
        job.step();
        assertThat(job.finished()).isTrue();
    }

    @Test
    void actions_left_for_a_request_are_applied_afterwards() {
        meanwhile = () -> job.scale("worker", 204);
        job.step();
        assertThat(place.objects).hasSize(MADE);

        job.step();
        assertThat(place.objects).hasSize(205);
        assertThat(place.broken).isEmpty();
    }

    @Test
    void interrupted_repeated_creations_do_not_reset_replicas() {
        place.lag = 2;
        job.step();
        now = now.plusSeconds(1);
        place.applied.clear();
        // The observation is old, so all are requested again.
        meanwhile = () -> job.scale("worker", 204);
        job.step();
        assertThat(place.applied).hasSize(MADE);

        for (int i = 0; i < 4; i++) {
            now = now.plusSeconds(1);
            job.step();
        }
        assertThat(place.objects).hasSize(205);
        assertThat(place.applied).noneMatch(action -> action.startsWith("delete"));
    }

    @Test
    void a_slow_creation_is_not_repeated_before_it_can_be_observed() {
        place.lag = 1;
        meanwhile = () -> now = now.plusSeconds(3);
        job.step();
        assertThat(place.applied).hasSize(200);

        // The observation has none of them yet.
        now = now.plusMillis(900);
        job.step();
        assertThat(place.applied).hasSize(200);

        job.step();
        assertThat(job.status().replicas()).hasSize(200);
    }

    @Test
    void a_creation_is_repeated_if_unobserved_for_long() {
        place.lag = 1;
        meanwhile = () -> now = now.plusSeconds(3);
        job.step();

        now = now.plusSeconds(1);
        job.step();
        assertThat(place.applied).hasSize(400);
    }

    @Test
    void a_loop_that_is_closed_does_no_more() {
        meanwhile = job::stop;
        job.step();

        assertThat(place.objects).hasSize(MADE);
    }

    @Test
    void a_change_of_the_place_alone_stops_nothing() {
        meanwhile = place::change;
        job.step();

        assertThat(place.objects).hasSize(200);
    }
}
