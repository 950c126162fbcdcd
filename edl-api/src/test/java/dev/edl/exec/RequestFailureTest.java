package dev.edl.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.plan.JobPlan;
import dev.edl.plan.SeedJob;
import dev.edl.reconcile.JobState;
import dev.edl.spec.Backoff;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A substrate that refuses requests or does not answer: running replicas continue, and the status names the failure. */
class RequestFailureTest {
    private final SimPlace place = new SimPlace();
    private final List<JobState> kept = new ArrayList<>();
    private final JobPlan plan = SeedJob.plan();
    private boolean full;
    private boolean lost;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final ControlLoop job = builder().manual();

    private ControlLoopBuilder builder() {
        return ControlLoop.of(plan, place)
                .clock(() -> now)
                .journal(state -> {
                    if (lost) {
                        throw new JobLostException("another program drives it");
                    }
                    if (full) {
                        throw new IllegalStateException("disk full");
                    }
                    kept.add(state);
                })
                .retry(RetryPolicy.of(Backoff.doubling(Duration.ofSeconds(1), Duration.ofSeconds(30))));
    }

    private static String full(String replica) {
        return "elasticdl-test-mnist-" + replica;
    }

    private void running(ControlLoop loop) {
        loop.step();
        place.startAll();
        loop.step();
        place.applied.clear();
        place.tried.clear();
    }

    /** Lets the loop run for a time of its own clock. */
    private void passes(ControlLoop loop, Duration time) {
        Instant end = now.plus(time);
        Optional<Duration> due = loop.step();
        while (due.isPresent() && !now.plus(due.get()).isAfter(end)) {
            now = now.plus(due.get());
            place.sweep();
            place.startAll();
            due = loop.step();
        }
        now = end;
        place.startAll();
        loop.step();
    }

    @Test
    void a_replica_that_is_refused_leaves_the_others_alone() {
        running(job);
        place.refusing = full("worker-5")::equals;
        job.scale("worker", 6);
        passes(job, Duration.ofHours(1));

        assertThat(job.status().phase()).isEqualTo(JobPhase.RUNNING);
        assertThat(place.applied).containsExactly("create worker-4");
        assertThat(place.objects).hasSize(8);
        assertThat(job.status().roles().get(2)).hasToString("worker 5/6 running, 1 pending");
    }

    @Test
    void the_status_has_each_refusal_with_age_cause_and_advice() {
        running(job);
        place.refusing = full("worker-5")::equals;
        job.scale("worker", 6);
        passes(job, Duration.ofMinutes(2));

        assertThat(job.status().toString())
                .endsWith("elasticdl-test-mnist-worker-5 cannot be created for 2m (8 tries, the next in 1s):"
                        + " elasticdl-test-mnist-worker-5 is forbidden: exceeded quota; scale(\"worker\", 5)\n");
        assertThat(job.whyPending("worker-5"))
                .hasValue("cannot be created for 2m (8 tries, the next in 1s): elasticdl-test-mnist-worker-5 is"
                        + " forbidden: exceeded quota; scale(\"worker\", 5)");
        assertThat(job.whyPending("worker-0")).isEmpty();
        assertThatThrownBy(() -> job.whyPending("worker-7"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has no replica \"worker-7\"");
    }

    @Test
    void a_refused_request_is_retried_after_growing_pauses() {
        running(job);
        place.refusing = full("worker-4")::equals;
        job.scale("worker", 5);
        for (int second = 0; second < 61; second++) {
            job.step();
            now = now.plusSeconds(1);
        }

        // After 0, 1, 3, 7, 15, 31 and 61 seconds.
        assertThat(place.tried).hasSize(6);
    }

    @Test
    void refused_creations_do_not_rewrite_the_state() {
        running(job);
        place.refusing = full("worker-4")::equals;
        job.scale("worker", 5);
        job.step();
        kept.clear();
        for (int pass = 0; pass < 20; pass++) {
            now = now.plusMillis(30);
            job.step();
        }

        assertThat(kept.stream().distinct().count()).isLessThanOrEqualTo(1);
    }

    @Test
    void a_refusal_is_reported_once_and_the_creation_when_it_succeeds() {
        running(job);
        int before = job.events().size();
        place.refusing = full("worker-4")::equals;
        job.scale("worker", 5);
        passes(job, Duration.ofMinutes(10));
        place.refusing = replica -> false;
        passes(job, Duration.ofMinutes(1));

        assertThat(job.events().subList(before, job.events().size()))
                .extracting(JobEvent::message)
                .containsExactly(
                        "scaled worker from 4 to 5",
                        "could not create elasticdl-test-mnist-worker-4: elasticdl-test-mnist-worker-4 is forbidden:"
                                + " exceeded quota (try 1, the next in 1s)",
                        "created elasticdl-test-mnist-worker-4, after 10m",
                        "elasticdl-test-mnist-worker-4 is running");
        assertThat(job.status().requestFailures()).isEmpty();
    }

    @Test
    void a_deletion_that_is_refused_delays_no_other_action() {
        running(job);
        place.refusing = full("worker-3")::equals;
        job.scale("worker", 2);
        passes(job, Duration.ofSeconds(5));
        job.scale("worker", 3);
        passes(job, Duration.ofSeconds(5));

        assertThat(place.applied).startsWith("delete worker-2: scaled down to 2, the highest id goes first");
        assertThat(place.applied).contains("create worker-4");
        assertThat(job.status().requestFailures()).singleElement().satisfies(failure -> {
            assertThat(failure.request()).isEqualTo(RequestFailure.Request.DELETE);
            assertThat(failure.replicas()).containsExactly(full("worker-3"));
        });
        assertThat(job.status().phase()).isEqualTo(JobPhase.RUNNING);
    }

    @Test
    void a_request_that_is_no_longer_needed_is_no_failure() {
        running(job);
        place.refusing = full("worker-4")::equals;
        job.scale("worker", 5);
        passes(job, Duration.ofMinutes(1));
        place.refusing = replica -> false;
        job.scale("worker", 4);
        job.step();

        assertThat(job.status().requestFailures()).isEmpty();
    }

    @Test
    void a_job_survives_a_ten_minute_outage_without_deletions() {
        running(job);
        job.scale("worker", 5);
        full = true;
        place.blind = true;
        place.refuses = true;
        passes(job, Duration.ofMinutes(10));

        assertThat(job.status().phase()).isEqualTo(JobPhase.RUNNING);
        assertThat(job.status().observedAge()).isEqualTo(Duration.ofMinutes(10));
        assertThat(job.status().requestFailures())
                .singleElement()
                .satisfies(failure -> assertThat(failure.toString())
                        .startsWith("the replicas cannot be observed for 10m (")
                        .endsWith("): the place does not answer"));
        assertThat(place.objects).hasSize(7);

        full = false;
        place.blind = false;
        place.refuses = false;
        passes(job, Duration.ofMinutes(1));
        assertThat(place.applied).containsExactly("create worker-4");
        assertThat(place.objects).hasSize(8);
        assertThat(job.status().observedAge()).isZero();
        assertThat(job.status().requestFailures()).isEmpty();
        assertThat(job.events())
                .extracting(JobEvent::message)
                .anyMatch(text -> text.startsWith("the replicas are observed again after 10m"));
    }

    @Test
    void nothing_is_done_while_the_state_cannot_be_persisted() {
        running(job);
        full = true;
        job.scale("worker", 5);
        passes(job, Duration.ofMinutes(10));

        assertThat(place.applied).isEmpty();
        assertThat(job.whyPending("worker-4"))
                .hasValueSatisfying(why -> assertThat(why).startsWith("the job's state cannot be persisted for 10m"));
    }

    @Test
    void the_age_of_a_status_counts_from_the_last_decided_observation() {
        running(job);
        full = true;
        job.scale("worker", 5);
        passes(job, Duration.ofMinutes(10));

        assertThat(job.status().observedAge()).isEqualTo(Duration.ofMinutes(10));
        assertThat(job.status().toString()).contains("last observed 10m ago");
    }

    @Test
    void the_status_of_a_loop_that_is_lost_grows_old() {
        ControlLoop replaced = builder().manual();
        running(replaced);
        lost = true;
        replaced.scale("worker", 5);
        replaced.step();
        now = now.plusSeconds(3600);

        assertThat(replaced.lost()).isTrue();
        assertThat(replaced.status().observedAge()).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void an_ended_job_is_cleaned_up_after_any_outage() {
        running(job);
        place.exit(full("master"), 0, "");
        place.refuses = true;
        passes(job, Duration.ofHours(1));
        assertThat(job.finished()).isFalse();
        place.refuses = false;
        passes(job, Duration.ofMinutes(2));

        assertThat(place.objects).containsOnlyKeys(full("master"));
        assertThat(job.finished()).isTrue();
    }

    @Test
    void a_large_job_detects_refusals_with_few_requests() {
        JobPlan large =
                Job.named("large").image("i").master().workers(2000).build().plan();
        int[] requests = {0};
        place.refusing = replica -> {
            requests[0]++;
            return true;
        };
        ControlLoop loop = ControlLoop.of(large, place)
                .clock(() -> now)
                .retry(RetryPolicy.of(Backoff.doubling(Duration.ofSeconds(1), Duration.ofSeconds(30))))
                .manual();
        loop.step();
        assertThat(requests[0]).isEqualTo(16);
        passes(loop, Duration.ofMinutes(10));

        // About one request per two seconds, not 2000 per 30 seconds.
        assertThat(requests[0]).isLessThan(1000);
        assertThat(loop.status().requestFailures())
                .singleElement()
                .satisfies(failure -> assertThat(failure.replicas()).hasSize(2001));
        assertThat(loop.events().stream().filter(e -> e.type() == JobEvent.Type.SUBSTRATE_FAILED))
                .singleElement()
                .extracting(JobEvent::message)
                .asString()
                .startsWith("could not create elasticdl-large-master and 2000 more: ");
    }

    @Test
    void replicas_refused_for_their_own_reason_do_not_delay_others() {
        JobPlan large =
                Job.named("large").image("i").master().workers(200).build().plan();
        place.refusing = replica -> replica.matches(".*-worker-[0-9]?[0-9]");
        ControlLoop loop = ControlLoop.of(large, place)
                .clock(() -> now)
                .retry(RetryPolicy.of(Backoff.doubling(Duration.ofSeconds(1), Duration.ofSeconds(30))))
                .manual();
        passes(loop, Duration.ofMinutes(10));

        assertThat(place.objects).hasSize(101);
    }

    @Test
    void an_unreachable_substrate_ends_the_loop_but_not_the_job() {
        ControlLoop limited =
                builder().unreachableTimeout(Duration.ofMinutes(5)).manual();
        running(limited);
        limited.scale("worker", 2);
        full = true;
        passes(limited, Duration.ofMinutes(4));
        assertThat(limited.lost()).isFalse();
        passes(limited, Duration.ofMinutes(2));

        assertThat(limited.lost()).isTrue();
        assertThatThrownBy(() -> limited.await(Duration.ZERO))
                .isInstanceOf(JobLostException.class)
                .hasMessageContaining(
                        "its substrate was unreachable for 5m, the unreachableTimeout: the job's state cannot be"
                                + " persisted for 5m");
        full = false;
        limited.close();
        assertThat(place.objects).hasSize(7);
        assertThat(place.applied).isEmpty();
    }

    @Test
    void an_intermittently_reachable_substrate_is_not_unreachable() {
        ControlLoop limited =
                builder().unreachableTimeout(Duration.ofMinutes(5)).manual();
        running(limited);
        for (int i = 0; i < 5; i++) {
            place.blind = true;
            passes(limited, Duration.ofMinutes(4));
            place.blind = false;
            passes(limited, Duration.ofMinutes(1));
        }

        assertThat(limited.lost()).isFalse();
    }

    @Test
    void a_pass_that_throws_ends_the_loop_as_lost_and_deletes_nothing() {
        ControlLoop broken = builder()
                .reconciler((of, state, seen, at) -> {
                    throw new ArithmeticException("long overflow");
                })
                .from(JobState.initial(plan))
                .manual();
        running(job);
        int written = kept.size();

        assertThat(broken.step()).isEmpty();

        assertThat(broken.lost()).isTrue();
        assertThatThrownBy(() -> broken.await(Duration.ZERO))
                .isInstanceOf(JobLostException.class)
                .hasMessage("job \"test-mnist\" is no longer driven by this handle: its loop failed:"
                        + " java.lang.ArithmeticException: long overflow; the job and its replicas were not changed")
                .hasRootCauseInstanceOf(ArithmeticException.class);
        broken.close();
        assertThat(kept).hasSize(written);
        assertThat(place.objects).hasSize(7);
    }

    @Test
    void each_failed_request_is_reported_to_the_listener() {
        List<String> counted = new ArrayList<>();
        ControlLoop loop = builder()
                .onRequestFailure(failure ->
                        counted.add(failure.request() + " " + failure.cause().reason()))
                .manual();
        running(loop);
        place.refusing = full("worker-4")::equals;
        loop.scale("worker", 5);
        passes(loop, Duration.ofSeconds(4));
        full = true;
        loop.scale("worker", 4);
        loop.step();

        assertThat(counted)
                .containsExactly(
                        "CREATE IllegalStateException",
                        "CREATE IllegalStateException",
                        "CREATE IllegalStateException",
                        "PERSIST IllegalStateException");
    }
}
