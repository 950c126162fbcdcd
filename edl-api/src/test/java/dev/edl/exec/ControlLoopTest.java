package dev.edl.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.plan.SeedJob;
import dev.edl.reconcile.JobState;
import dev.edl.spec.Backoff;
import dev.edl.spec.RunPolicy;
import dev.edl.spec.SuccessPolicy;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import dev.edl.status.ObservedReplica;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ControlLoopTest {
    private final SimPlace place = new SimPlace();
    private final List<JobState> kept = new ArrayList<>();
    private final JobPlan plan = SeedJob.plan();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final ControlLoop job = ControlLoop.of(plan, place)
            .clock(() -> now)
            .journal(kept::add)
            .retry(RetryPolicy.of(Backoff.doubling(Duration.ofSeconds(2), Duration.ofSeconds(3))))
            .manual();

    private static String full(String replica) {
        return "elasticdl-test-mnist-" + replica;
    }

    private void running() {
        job.step();
        place.startAll();
        job.step();
        place.applied.clear();
    }

    @Test
    void a_deleted_worker_goes_and_the_next_one_comes() {
        running();
        job.delete("worker-0");
        job.step();
        assertThat(place.applied).containsExactly("delete worker-0: requested", "create worker-4");

        place.sweep();
        place.startAll();
        job.step();
        now = now.plusSeconds(6);
        assertThat(job.status().table()).isEqualTo("""
                        NAME                            READY   STATUS    RESTARTS   AGE
                        elasticdl-test-mnist-master     1/1     Running   0          6s
                        elasticdl-test-mnist-ps-0       1/1     Running   0          6s
                        elasticdl-test-mnist-ps-1       1/1     Running   0          6s
                        elasticdl-test-mnist-worker-1   1/1     Running   0          6s
                        elasticdl-test-mnist-worker-2   1/1     Running   0          6s
                        elasticdl-test-mnist-worker-3   1/1     Running   0          6s
                        elasticdl-test-mnist-worker-4   1/1     Running   0          6s
                        """);
    }

    @Test
    void a_timeout_has_the_status_of_each_role() {
        running();
        place.vanish(full("worker-1"));
        job.step();
        job.step();

        assertThat(job.status().toString())
                .startsWith(
                        "job test-mnist RUNNING: master 1/1 running; ps 2/2 running; worker 3/4 running, 1 pending\n");
    }

    @Test
    void a_quiet_job_needs_nothing() {
        running();

        assertThat(job.step()).isEmpty();
        assertThat(place.applied).isEmpty();
    }

    @Test
    void scaling_is_refused_at_once_where_it_cannot_be() {
        assertThatThrownBy(() -> job.scale("worker", 9))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("job \"test-mnist\": worker can be scaled between 1 and 8, was 9");
        assertThatThrownBy(() -> job.scale("ps", 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("job \"test-mnist\": ps is not elastic; give it bounds when composing the job, for example"
                        + " .elastic(1, 8)");
        assertThatThrownBy(() -> job.scale("wroker", 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("job \"test-mnist\" has no role \"wroker\"; it has master, ps, worker");
    }

    @Test
    void an_unknown_replica_gets_the_nearest_name() {
        running();

        assertThatThrownBy(() -> job.delete("worker-44"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("job \"test-mnist\" has no replica \"worker-44\"; the nearest is \"worker-0\"");
    }

    @ParameterizedTest
    @EnumSource(
            value = Profile.class,
            names = {"ELASTICDL", "TFJOB_V1ALPHA1", "KUBEFLOW_V1"})
    void a_replica_is_found_by_role_and_id_in_every_profile(Profile profile) {
        JobPlan other = Job.named("j")
                .runId("76no")
                .tensorflow()
                .ps(1)
                .workers(2)
                .build()
                .plan(profile);
        ControlLoop loop = ControlLoop.of(other, place).clock(() -> now).manual();
        loop.step();
        place.startAll();
        loop.step();
        place.applied.clear();

        loop.delete("worker-1");
        loop.delete(other.replica("ps", 0).name());
        loop.step();

        assertThat(place.objects.values())
                .filteredOn(ObservedReplica::terminating)
                .extracting(ObservedReplica::name)
                .containsExactlyInAnyOrder(
                        other.replica("worker", 1).name(),
                        other.replica("ps", 0).name());
        assertThatThrownBy(() -> loop.delete("worker-4"))
                .hasMessage("job \"j\" has no replica \"worker-4\"; the nearest is \"worker-0\"");
    }

    @Test
    void an_unknown_replica_without_a_similar_name_gets_a_valid_one() {
        assertThatThrownBy(() -> job.delete("worker-0"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("job \"test-mnist\" has no replica \"worker-0\"; it has no replicas now");
        running();
        assertThatThrownBy(() -> job.delete("banana"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("job \"test-mnist\" has no replica \"banana\"; a valid one is \"master\"");
    }

    @Test
    void scaling_up_and_down_is_carried_out_by_the_next_pass() {
        running();
        job.scale("worker", 6);
        job.step();
        assertThat(place.applied).containsExactly("create worker-4", "create worker-5");
        job.scale("worker", 2);
        job.step();
        place.sweep();
        now = now.plusSeconds(1);
        job.step();
        place.sweep();
        job.step();

        assertThat(place.objects.keySet())
                .containsExactlyInAnyOrder(
                        full("master"), full("ps-0"), full("ps-1"), full("worker-0"), full("worker-1"));
    }

    @Test
    void an_ended_job_is_cleaned_up_and_then_needs_no_loop() throws InterruptedException {
        running();
        place.exit(full("master"), 0, "");
        job.step();
        assertThat(job.finished()).isFalse();
        place.sweep();
        job.step();

        assertThat(job.finished()).isTrue();
        assertThat(job.await(Duration.ZERO).phase()).isEqualTo(JobPhase.SUCCEEDED);
        assertThat(job.status()).hasToString("""
                        job test-mnist SUCCEEDED: elasticdl-test-mnist-master succeeded
                        NAME                          READY   STATUS      RESTARTS   AGE
                        elasticdl-test-mnist-master   0/1     Completed   0          0s
                        """);
        assertThatThrownBy(() -> job.scale("worker", 2))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("job \"test-mnist\" has ended: SUCCEEDED, elasticdl-test-mnist-master succeeded");
    }

    @Test
    void a_timeout_has_the_condition_that_the_job_waits_for() {
        running();

        assertThatThrownBy(() -> job.await(Duration.ZERO))
                .isInstanceOf(AwaitTimeoutException.class)
                .hasMessage(
                        "job \"test-mnist\" has not ended within 0s: it is RUNNING and waits for"
                                + " elasticdl-test-mnist-master to succeed; master 1/1 running; ps 2/2 running; worker 4/4 running");
    }

    @Test
    void a_pending_job_waits_for_its_leader_in_every_success_policy() {
        ControlLoop every = ControlLoop.of(
                        SeedJob.plan(RunPolicy.builder()
                                .success(SuccessPolicy.ALL_WORKERS)
                                .build()),
                        place)
                .clock(() -> now)
                .manual();
        every.step();
        for (int i = 0; i < 4; i++) {
            place.start(full("worker-" + i));
        }
        every.step();
        assertThatThrownBy(() -> every.await(Duration.ZERO))
                .isInstanceOf(AwaitTimeoutException.class)
                .hasMessage("job \"test-mnist\" has not ended within 0s: it is PENDING and waits for"
                        + " elasticdl-test-mnist-master to run; master 0/1 running, 1 pending; ps 0/2 running, 2 pending;"
                        + " worker 4/4 running");

        place.start(full("master"));
        every.step();
        assertThatThrownBy(() -> every.await(Duration.ZERO))
                .isInstanceOf(AwaitTimeoutException.class)
                .hasMessageContaining("it is RUNNING and waits for every worker to succeed; ");
    }

    @Test
    void a_pending_job_without_a_leader_waits_for_a_worker() {
        ControlLoop flat = ControlLoop.of(SeedJob.plan(SeedJob.workers(2).build()), place)
                .clock(() -> now)
                .manual();
        flat.step();

        assertThatThrownBy(() -> flat.await(Duration.ZERO))
                .isInstanceOf(AwaitTimeoutException.class)
                .hasMessage("job \"flat\" has not ended within 0s: it is PENDING and waits for a worker to run;"
                        + " worker 0/2 running, 2 pending");
    }

    @Test
    void a_state_is_kept_before_anything_of_it_is_applied() {
        List<String> order = new ArrayList<>();
        ControlLoop first = ControlLoop.of(plan, place)
                .clock(() -> now)
                .journal(state -> order.add(state.replicas().size() + " known, " + place.objects.size() + " made"))
                .manual();
        first.step();

        assertThat(order).containsExactly("7 known, 0 made");
    }

    @Test
    void actions_are_prepared_before_the_state_is_persisted() {
        List<String> order = new ArrayList<>();
        place.preparing = actions -> order.add(actions.size() + " to come");
        ControlLoop first = ControlLoop.of(plan, place)
                .clock(() -> now)
                .journal(state -> order.add("kept, " + place.objects.size() + " made"))
                .manual();
        first.step();
        first.step();

        assertThat(order).containsExactly("7 to come", "kept, 0 made", "kept, 7 made");
    }

    @Test
    void a_state_that_cannot_be_kept_is_not_applied() {
        ControlLoop first = ControlLoop.of(plan, place)
                .clock(() -> now)
                .journal(state -> {
                    throw new IllegalStateException("disk full");
                })
                .retry(RetryPolicy.of(Backoff.doubling(Duration.ofSeconds(1), Duration.ofSeconds(3))))
                .manual();

        assertThat(first.step()).hasValue(Duration.ofSeconds(1));
        assertThat(place.applied).isEmpty();
        assertThat(first.events())
                .extracting(JobEvent::message)
                .containsExactly("could not persist the job's state: disk full (try 1, the next in 1s)");
    }

    @Test
    void a_job_taken_over_by_another_program_is_left_alone() {
        ControlLoop first = ControlLoop.of(plan, place)
                .clock(() -> now)
                .journal(state -> {
                    throw new JobLostException("another program drives it now");
                })
                .manual();

        assertThat(first.step()).isEmpty();
        assertThat(place.applied).isEmpty();
        assertThat(first.events())
                .extracting(JobEvent::toString)
                .containsExactly("2026-01-01T00:00:00Z JOB_LOST another program drives it now");
        assertThat(first.status().phase()).isEqualTo(JobPhase.PENDING);
        assertThatThrownBy(() -> first.await(Duration.ofSeconds(1)))
                .isInstanceOf(JobLostException.class)
                .hasMessage("job \"test-mnist\" is no longer driven by this handle: another program drives it now");
        assertThatThrownBy(() -> first.scale("worker", 5)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void another_loop_goes_on_from_the_state_that_was_kept() {
        running();
        place.vanish(full("worker-2"));
        ControlLoop next = ControlLoop.of(plan, place)
                .clock(() -> now)
                .from(kept.get(kept.size() - 1))
                .manual();
        next.step();

        assertThat(place.applied).containsExactly("create worker-4");
    }

    @Test
    void a_failed_observation_is_retried() {
        place.refuses = true;
        assertThat(job.step()).hasValue(Duration.ofSeconds(1));
        place.refuses = false;
        now = now.plusSeconds(2);
        job.step();

        assertThat(place.objects).hasSize(7);
        assertThat(job.events().stream().filter(e -> e.type() == JobEvent.Type.SUBSTRATE_FAILED))
                .extracting(JobEvent::message)
                .containsExactly(
                        "could not create elasticdl-test-mnist-master and 6 more: the place is full (try 1, the"
                                + " next in 2s)");
    }

    @Test
    void a_deletion_that_fails_is_tried_again() {
        running();
        place.refuses = true;
        job.delete("worker-0");
        job.step();
        place.refuses = false;
        now = now.plusSeconds(2);
        job.step();

        assertThat(place.applied).containsExactly("delete worker-0: requested", "create worker-4");
    }

    @Test
    void a_listener_that_throws_is_removed_and_the_loop_continues() {
        List<JobEvent.Type> heard = new ArrayList<>();
        job.onEvent(event -> {
            throw new IllegalStateException("no");
        });
        job.onEvent(event -> heard.add(event.type()));
        job.step();

        assertThat(heard).filteredOn(t -> t == JobEvent.Type.LISTENER_FAILED).hasSize(1);
        assertThat(heard).filteredOn(t -> t == JobEvent.Type.REPLICA_CREATED).hasSize(7);
    }

    @Test
    void a_closed_subscription_hears_nothing() {
        List<JobEvent> heard = new ArrayList<>();
        job.onEvent(heard::add).close();
        job.step();

        assertThat(heard).isEmpty();
    }

    @Test
    void a_collected_job_is_not_collected_again() {
        ControlLoop brief = ControlLoop.of(
                        SeedJob.plan(
                                RunPolicy.builder().ttl(Duration.ofMinutes(1)).build()),
                        place)
                .clock(() -> now)
                .manual();
        brief.step();
        place.startAll();
        place.exit(full("master"), 0, "");
        brief.step();
        place.sweep();
        assertThat(brief.step()).hasValue(Duration.ofMinutes(1));
        now = now.plusSeconds(60);
        brief.step();
        now = now.plusSeconds(60);
        brief.step();

        assertThat(place.objects).isEmpty();
        assertThat(place.applied).filteredOn(a -> a.startsWith("collect")).containsExactly("collect test-mnist");
        assertThat(brief.finished()).isTrue();
    }

    @Test
    void a_closed_handle_refuses_requests() {
        running();
        job.close();
        String closed = ": its handle is closed, so this program no longer drives the job";

        assertThatThrownBy(() -> job.scale("worker", 2))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("job \"test-mnist\" cannot be scaled" + closed);
        assertThatThrownBy(() -> job.delete("worker-0"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("job \"test-mnist\" cannot be asked to delete elasticdl-test-mnist-worker-0" + closed);
        assertThatThrownBy(job::cancel)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("job \"test-mnist\" cannot be cancelled" + closed);
    }

    @Test
    void cancel_after_close_of_an_ended_job_has_no_effect() {
        running();
        place.exit(full("master"), 0, "");
        job.step();
        job.close();
        job.cancel();

        assertThat(job.status().phase()).isEqualTo(JobPhase.SUCCEEDED);
    }
}
