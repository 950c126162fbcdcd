package dev.edl.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.plan.JobPlan;
import dev.edl.plan.SeedJob;
import dev.edl.reconcile.JobState;
import dev.edl.reconcile.ReplicaState;
import dev.edl.status.JobPhase;
import dev.edl.status.ReplicaStage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A journal with expensive writes: only observations are persisted late. */
class JournalLagTest {
    private static final Duration LAG = Duration.ofSeconds(5);

    private final SimPlace place = new SimPlace();
    private final List<JobState> kept = new ArrayList<>();
    private final JobPlan plan = SeedJob.plan();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final ControlLoop job = loop(kept::add);

    private ControlLoop loop(Consumer<JobState> journal) {
        return ControlLoop.of(plan, place)
                .clock(() -> now)
                .journal(journal, LAG)
                .manual();
    }

    private static String full(String replica) {
        return "elasticdl-test-mnist-" + replica;
    }

    private static ReplicaState replica(JobState state, String name) {
        return Objects.requireNonNull(state.replicas().get(full(name)), name);
    }

    private JobState last() {
        return kept.get(kept.size() - 1);
    }

    /** Lets the job run; the relaunch of worker-0 is created, observed and persisted. */
    private void relaunched() {
        job.step();
        place.startAll();
        job.step();
        place.leave(full("worker-0"));
        job.step();
        job.step();
        assertThat(replica(last(), "worker-4").everObserved()).isTrue();
        kept.clear();
        place.applied.clear();
    }

    @Test
    void observations_are_written_once_after_the_lag() {
        relaunched();
        place.startAll();
        assertThat(job.step()).hasValue(LAG);
        now = now.plusSeconds(2);
        place.vanish(full("worker-0"));
        assertThat(job.step()).hasValue(Duration.ofSeconds(3));
        assertThat(kept).isEmpty();
        assertThat(replica(job.state(), "worker-4").stage()).isEqualTo(ReplicaStage.RUNNING);

        now = now.plusSeconds(3);
        assertThat(job.step()).isEmpty();
        assertThat(kept).containsExactly(job.state());
        assertThat(job.step()).isEmpty();
        assertThat(kept).hasSize(1);
    }

    @Test
    void it_is_kept_with_the_next_decision_that_acts() {
        relaunched();
        place.startAll();
        job.step();
        place.leave(full("worker-1"));
        job.step();

        assertThat(place.applied).containsExactly("create worker-5");
        assertThat(kept).singleElement().satisfies(state -> {
            assertThat(replica(state, "worker-4").stage()).isEqualTo(ReplicaStage.RUNNING);
            assertThat(state.replicas()).containsKey(full("worker-5"));
        });
        assertThat(job.step()).isNotEqualTo(LAG);
    }

    @Test
    void a_success_is_kept_at_once() {
        relaunched();
        place.startAll();
        place.exit(full("worker-1"), 0, "");
        job.step();

        assertThat(replica(last(), "worker-1").stage()).isEqualTo(ReplicaStage.SUCCEEDED);
    }

    @Test
    void the_end_of_the_job_does_not_wait_for_deferred_states() {
        relaunched();
        place.startAll();
        place.exit(full("master"), 0, "");
        job.step();
        place.sweep();
        job.step();
        job.step();

        assertThat(last().phase()).isEqualTo(JobPhase.SUCCEEDED);
        assertThat(job.finished()).isTrue();
        assertThat(last()).isEqualTo(job.state());
    }

    @Test
    void a_loop_that_is_closed_keeps_it() {
        relaunched();
        place.startAll();
        job.step();
        job.close();

        assertThat(kept).containsExactly(job.state());
    }

    @Test
    void a_loop_that_lost_its_job_keeps_nothing_more() {
        List<JobState> tries = new ArrayList<>();
        boolean[] lost = {false};
        ControlLoop first = loop(state -> {
            tries.add(state);
            if (lost[0]) {
                throw new JobLostException("another program drives it now");
            }
        });
        first.step();
        place.startAll();
        first.step();
        place.leave(full("worker-0"));
        first.step();
        first.step();
        place.startAll();
        first.step();
        lost[0] = true;
        place.leave(full("worker-1"));
        first.step();
        tries.clear();
        first.close();

        assertThat(tries).isEmpty();
    }

    @Test
    void when_it_cannot_be_kept_the_loop_tries_again() {
        boolean[] full = {false};
        ControlLoop first = loop(state -> {
            if (full[0]) {
                throw new IllegalStateException("disk full");
            }
            kept.add(state);
        });
        first.step();
        place.startAll();
        first.step();
        place.leave(full("worker-0"));
        first.step();
        first.step();
        kept.clear();
        place.startAll();
        first.step();
        full[0] = true;
        now = now.plus(LAG);
        assertThat(first.step())
                .hasValueSatisfying(
                        pause -> assertThat(pause).isBetween(Duration.ofMillis(180), Duration.ofMillis(200)));
        full[0] = false;
        now = now.plusMillis(200);
        assertThat(first.step()).isEmpty();

        assertThat(kept).containsExactly(first.state());
    }

    @Test
    void a_lag_below_zero_is_refused() {
        assertThatThrownBy(() -> ControlLoop.of(plan, place).journal(kept::add, Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("lag must be at least zero, was PT-1S; for example Duration.ofSeconds(5)");
    }
}
