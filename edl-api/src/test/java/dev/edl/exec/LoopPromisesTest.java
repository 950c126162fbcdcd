package dev.edl.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.plan.JobPlan;
import dev.edl.plan.SeedJob;
import dev.edl.reconcile.Action;
import dev.edl.reconcile.JobState;
import dev.edl.spec.Backoff;
import dev.edl.spec.RoleType;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Requests that fail repeatedly, and requests that are pending when a handle is closed. */
class LoopPromisesTest {
    private final SimPlace place = new SimPlace();
    private final List<JobState> kept = new ArrayList<>();
    private final JobPlan plan = SeedJob.plan();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final ControlLoop job = ControlLoop.of(plan, place)
            .clock(() -> now)
            .journal(kept::add)
            .retry(RetryPolicy.of(Backoff.doubling(Duration.ofSeconds(2), Duration.ofSeconds(3))))
            .manual();

    private void running() {
        job.step();
        place.startAll();
        job.step();
        place.applied.clear();
    }

    private ControlLoop impatient(SimPlace where) {
        JobPlan long_ = Job.of(SeedJob.plan().spec()).toBuilder()
                .deadline(Duration.ofHours(8))
                .build()
                .plan();
        return ControlLoop.of(long_, where)
                .clock(() -> now)
                .retry(RetryPolicy.of(Backoff.doubling(Duration.ofSeconds(2), Duration.ofSeconds(3))))
                .manual();
    }

    @Test
    void a_failed_request_is_retried_after_its_own_pause() {
        ControlLoop slow = impatient(place);
        place.blind = true;

        assertThat(slow.step()).hasValue(Duration.ofSeconds(2));
        now = now.plusSeconds(2);
        assertThat(slow.step()).hasValue(Duration.ofSeconds(3));
    }

    @Test
    void slow_failures_are_retried() {
        boolean[] hangs = {true};
        ControlLoop slow = impatient(new SimPlace() {
            @Override
            public void apply(JobPlan of, Action action) {
                if (hangs[0] && action instanceof Action.CreateReplica) {
                    now = now.plusSeconds(19);
                    throw new IllegalStateException("the webhook does not answer");
                }
                super.apply(of, action);
            }
        });
        for (int pass = 0; pass < 40; pass++) {
            now = now.plus(slow.step().orElse(Duration.ZERO));
        }
        assertThat(slow.state().phase()).isEqualTo(JobPhase.PENDING);

        hangs[0] = false;
        now = now.plus(slow.step().orElse(Duration.ZERO));
        slow.step();
        assertThat(slow.status().replicas()).hasSize(7);
        assertThat(slow.status().requestFailures()).isEmpty();
    }

    @Test
    void close_persists_requests_that_no_pass_has_handled() {
        running();
        job.scale("worker", 2);
        job.delete("worker-0");
        job.close();

        assertThat(kept.get(kept.size() - 1).desired()).containsEntry(RoleType.WORKER, 2);
        assertThat(place.applied).containsExactly("delete worker-0: requested");
    }

    @Test
    void requests_that_cannot_be_persisted_at_close_are_reported() {
        List<JobEvent> told = new ArrayList<>();
        boolean[] full = {false};
        ControlLoop other = ControlLoop.of(plan, place)
                .clock(() -> now)
                .journal(state -> {
                    if (full[0]) {
                        throw new IllegalStateException("disk full");
                    }
                })
                .onEvent(told::add)
                .manual();
        other.step();
        full[0] = true;
        told.clear();
        other.cancel();
        other.close();

        assertThat(told)
                .extracting(JobEvent::message)
                .containsExactly("could not persist requests and observations before the job's handle was"
                        + " closed: java.lang.IllegalStateException: disk full");
    }

    @Test
    void the_end_of_a_job_is_persisted_after_any_outage() {
        AtomicBoolean full = new AtomicBoolean();
        ControlLoop first = ControlLoop.of(plan, place)
                .clock(() -> now)
                .journal(state -> {
                    if (full.get()) {
                        throw new IllegalStateException("disk full");
                    }
                    kept.add(state);
                })
                .retry(RetryPolicy.of(Backoff.doubling(Duration.ofSeconds(2), Duration.ofSeconds(3))))
                .manual();
        first.step();
        place.startAll();
        first.step();
        full.set(true);
        place.exit("elasticdl-test-mnist-master", 0, "");
        for (int pass = 0; pass < 200; pass++) {
            Duration wait = first.step().orElseThrow();
            assertThat(wait).isLessThanOrEqualTo(Duration.ofSeconds(3));
            now = now.plus(wait);
        }
        full.set(false);

        first.step();

        assertThat(kept.get(kept.size() - 1).phase()).isEqualTo(JobPhase.SUCCEEDED);
    }

    @Test
    void a_closed_loop_rejects_a_scale_check() {
        running();
        job.checkScale("worker", 2);
        job.close();

        assertThatThrownBy(() -> job.checkScale("worker", 2))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("job \"test-mnist\" cannot be scaled: its handle is closed, so this program no longer"
                        + " drives the job");
    }
}
