package dev.edl.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.plan.SeedJob;
import dev.edl.spec.Backoff;
import dev.edl.spec.ExitCodePolicy;
import dev.edl.spec.RestartPolicy;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RoleType;
import dev.edl.spec.RunPolicy;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import dev.edl.status.NodeNotice;
import dev.edl.status.ReplicaStage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Replicas that end with exit code 75, which requests a retry. */
class RetryTest {
    private static final int TRY_AGAIN = 75;

    private static Trial with(RoleTemplate.Builder defaults) {
        return Trial.running(SeedJob.plan(
                SeedJob.spec().defaults(defaults.image("img").build()).build()));
    }

    /** Returns the short name of the replica that occupies a slot. */
    private static String inPlace(Trial job, RoleType role, int index) {
        ReplicaState replica = job.state.replicas().values().stream()
                .filter(r -> r.role() == role && r.index() == index && r.stage().occupiesSlot())
                .findFirst()
                .orElseThrow();
        return role.replica(replica.id());
    }

    /** Ends the replica of a slot, lets its successor run as soon as possible, and returns the successor's delay. */
    private static Duration delay(Trial job, RoleType role, int index, int code) {
        job.exits(inPlace(job, role, index), code).decide();
        ReplicaState next = job.replica(inPlace(job, role, index));
        Duration delay = next.backoffUntil()
                .map(until -> Duration.between(job.now, until))
                .orElse(Duration.ZERO);
        if (!delay.isZero()) {
            String create = "create " + role.replica(next.id());
            assertThat(job.after(delay.minusMillis(1)).decide().actions()).doesNotContain(create);
            assertThat(job.after(Duration.ofMillis(1)).decide().actions()).contains(create);
        }
        // The old object of a fixed name is deleted first.
        job.decide();
        job.runAll();
        job.decide();
        return delay;
    }

    private static List<Long> seconds(Trial job, RoleType role, int index, int times) {
        List<Long> delays = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            delays.add(delay(job, role, index, TRY_AGAIN).toSeconds());
        }
        return delays;
    }

    @ParameterizedTest
    @CsvSource({
        // restart policy, reason, used relaunches of the slot's limit of 1, successor, its delay in seconds, used
        // afterwards
        "ON_FAILURE,          , 0, true,  1, 0",
        "ON_FAILURE,     Error, 0, true,  1, 0",
        "ON_FAILURE,          , 1, true,  1, 1",
        "ON_FAILURE, OOMKilled, 0, true,  0, 1",
        "ON_FAILURE, OOMKilled, 1, false, 0, 1",
        "ON_FAILURE,   Evicted, 1, false, 0, 1",
        "ALWAYS,              , 1, true,  1, 1",
        "NEVER,               , 0, false, 0, 0",
    })
    void a_temporary_exit_is_retried_for_free(
            RestartPolicy policy, String reason, int spent, boolean successor, int delay, int after) {
        Trial job = with(RoleTemplate.builder().restart(policy));
        ReplicaStates.Editor all = job.state.replicas().edit();
        all.put(ImmutableReplicaState.copyOf(job.replica("worker-0")).withRelaunchesUsed(spent));
        job.state = ImmutableJobState.copyOf(job.state).withReplicas(all.replicas());
        job.exits("worker-0", TRY_AGAIN)
                .change("worker-0", o -> reason == null ? o : o.withReason(reason))
                .decide();

        ReplicaState place = job.replica(successor ? "worker-4" : "worker-0");
        assertThat(place.stage() == ReplicaStage.FAILED).isEqualTo(!successor);
        assertThat(place.relaunchesUsed()).isEqualTo(after);
        assertThat(place.backoffUntil().map(until -> Duration.between(job.now, until)))
                .isEqualTo(delay == 0 ? Optional.empty() : Optional.of(Duration.ofSeconds(delay)));
        assertThat(job.state.phase()).isEqualTo(JobPhase.RUNNING);
    }

    @Test
    void a_retry_is_reported_with_its_delay_and_not_as_failure() {
        Trial job = Trial.running(SeedJob.plan());
        job.exits("worker-3", TRY_AGAIN).decide();

        assertThat(job.messages(JobEvent.Type.RELAUNCHED))
                .containsExactly("worker elasticdl-test-mnist-worker-3 requested a retry (exit code 75);"
                        + " elasticdl-test-mnist-worker-4 starts in 1s");
        assertThat(job.messages(JobEvent.Type.REPLICA_FAILED)).isEmpty();
        assertThat(job.decision().wakeAfter()).hasValue(Duration.ofSeconds(1));
    }

    @Test
    void termination_by_a_signal_uses_no_relaunch() {
        Trial job = Trial.running(SeedJob.plan());
        job.exits("ps-1", 143).decide();

        assertThat(job.messages(JobEvent.Type.RELAUNCHED))
                .containsExactly("ps elasticdl-test-mnist-ps-1 was terminated (exit code 143); it starts again in 1s");
        assertThat(job.messages(JobEvent.Type.REPLICA_FAILED)).isEmpty();
    }

    @Test
    void the_event_has_the_last_words_of_the_replica() {
        Trial job = Trial.running(SeedJob.plan());
        job.exits("ps-1", TRY_AGAIN)
                .change("ps-1", o -> o.withReason("Error").withMessage("the master does not answer"))
                .decide();

        assertThat(job.messages(JobEvent.Type.RELAUNCHED))
                .containsExactly("ps elasticdl-test-mnist-ps-1 requested a retry (exit code 75):"
                        + " the master does not answer; it starts again in 1s");
    }

    @ParameterizedTest
    @ValueSource(strings = {"master", "ps-0"})
    void a_replica_with_a_fixed_name_restarts_after_delay_and_deletion(String replica) {
        Trial job = Trial.running(SeedJob.plan());
        job.exits(replica, TRY_AGAIN).decide();

        assertThat(job.actions()).containsExactly("delete " + replica + ": makes room for its relaunch");
        assertThat(job.after(Duration.ofMillis(999)).decide().actions()).isEmpty();
        assertThat(job.after(Duration.ofMillis(1)).decide().actions()).containsExactly("create " + replica);
        assertThat(job.replica(replica).restarts()).isEqualTo(1);
        assertThat(job.replica(replica).relaunchesUsed()).isZero();
        assertThat(job.state.phase()).isEqualTo(JobPhase.RUNNING);
    }

    @ParameterizedTest
    @CsvSource({"MASTER, 0", "PS, 1", "WORKER, 0", "WORKER, 2"})
    void the_delay_doubles_up_to_a_minute(RoleType role, int index) {
        Trial job = Trial.running(SeedJob.plan());

        assertThat(seconds(job, role, index, 9)).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L);
    }

    @Test
    void the_longest_delay_is_told_as_a_minute() {
        Trial job = Trial.running(SeedJob.plan());
        seconds(job, RoleType.PS, 0, 6);
        job.exits("ps-0", TRY_AGAIN).decide();

        assertThat(job.messages(JobEvent.Type.RELAUNCHED))
                .containsExactly(
                        "ps elasticdl-test-mnist-ps-0 requested a retry (exit code 75); it starts again in 1m");
    }

    @Test
    void each_place_has_its_own_delay() {
        Trial job = Trial.running(SeedJob.plan());
        seconds(job, RoleType.WORKER, 0, 4);

        assertThat(seconds(job, RoleType.WORKER, 1, 1)).containsExactly(1L);
        assertThat(seconds(job, RoleType.WORKER, 0, 1)).containsExactly(16L);
    }

    @ParameterizedTest
    @CsvSource({"59999, 8", "60000, 1"})
    void the_delay_begins_anew_after_a_life_of_a_minute(long millis, long seconds) {
        Trial job = Trial.running(SeedJob.plan());
        seconds(job, RoleType.WORKER, 0, 3);
        job.after(Duration.ofMillis(millis));

        assertThat(seconds(job, RoleType.WORKER, 0, 1)).containsExactly(seconds);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 137})
    void the_delay_begins_anew_after_another_end(int code) {
        Trial job = Trial.running(SeedJob.plan());
        seconds(job, RoleType.PS, 0, 3);

        assertThat(delay(job, RoleType.PS, 0, code)).isZero();
        assertThat(seconds(job, RoleType.PS, 0, 2)).containsExactly(1L, 2L);
    }

    @Test
    void a_replica_that_always_exits_temporarily_is_retried_each_minute() {
        Trial job = Trial.running(SeedJob.plan());
        List<Long> delays = seconds(job, RoleType.WORKER, 0, 300);

        assertThat(delays.subList(6, 300)).containsOnly(60L);
        assertThat(inPlace(job, RoleType.WORKER, 0)).isEqualTo("worker-303");
        assertThat(job.replica("worker-303").relaunchesUsed()).isZero();
        assertThat(job.state.phase()).isEqualTo(JobPhase.RUNNING);
        assertThat(job.state.replicas()).hasSizeLessThan(400);
        // Its relaunch limit is unchanged.
        assertThat(delay(job, RoleType.WORKER, 0, 1)).isZero();
        assertThat(job.replica("worker-304").relaunchesUsed()).isEqualTo(1);
    }

    @Test
    void the_deadline_ends_a_job_with_endless_retries() {
        Trial job = Trial.running(SeedJob.plan(
                RunPolicy.builder().deadline(Duration.ofMinutes(30)).build()));
        int tries = 0;
        while (!job.state.phase().ended()) {
            String replica = inPlace(job, RoleType.PS, 0);
            if (job.replica(replica).stage() == ReplicaStage.WAITING) {
                job.after(job.decision().wakeAfter().orElseThrow());
            } else {
                job.runAll();
                job.exits(replica, TRY_AGAIN).decide();
                tries++;
            }
            job.decide();
        }

        assertThat(job.state.message()).isEqualTo("ran longer than its deadline of 30m");
        assertThat(job.now).isEqualTo(Trial.START.plus(Duration.ofMinutes(30)));
        // Six delays of 63 s in total, then one per minute.
        assertThat(tries).isEqualTo(6 + 29);
    }

    @Test
    void the_backoff_of_the_job_is_for_failures_only() {
        Trial job = Trial.running(SeedJob.plan(RunPolicy.builder()
                .backoff(Backoff.doubling(Duration.ofSeconds(10), Duration.ofMinutes(5)))
                .build()));

        assertThat(seconds(job, RoleType.PS, 0, 2)).containsExactly(1L, 2L);
        assertThat(delay(job, RoleType.PS, 0, 1)).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void another_process_continues_the_delay_from_the_persisted_state() {
        Trial job = Trial.running(SeedJob.plan());
        seconds(job, RoleType.WORKER, 0, 2);
        job.exits(inPlace(job, RoleType.WORKER, 0), TRY_AGAIN).decide();
        JobState kept = JobState.fromJson(job.state.toJson());
        assertThat(kept).isEqualTo(job.state);
        assertThat(kept.toJson()).contains("\"retries\":3");
        job.state = kept;

        assertThat(job.after(Duration.ofMillis(3_999)).decide().actions()).isEmpty();
        assertThat(job.after(Duration.ofMillis(1)).decide().actions()).containsExactly("create worker-6");
        job.state = JobState.fromJson(job.state.toJson());
        job.runAll();
        job.decide();
        assertThat(seconds(job, RoleType.WORKER, 0, 1)).containsExactly(8L);
    }

    @Test
    void scaling_down_removes_waiting_workers_and_scaling_up_keeps_delays() {
        Trial job = Trial.running(SeedJob.plan());
        job.exits("worker-1", TRY_AGAIN).decide();
        job.state = job.state.withDesired(RoleType.WORKER, 5);
        job.decide();
        assertThat(job.actions()).containsExactly("create worker-5");
        assertThat(job.replica("worker-4").stage()).isEqualTo(ReplicaStage.WAITING);
        job.runAll();
        job.decide();

        job.state = job.state.withDesired(RoleType.WORKER, 4);
        job.decide();
        assertThat(job.messages(JobEvent.Type.REPLICA_DELETED))
                .containsExactly("removed elasticdl-test-mnist-worker-4: scaled down to 4, it did not run yet");
        assertThat(job.after(Duration.ofSeconds(1)).decide().actions()).isEmpty();
        assertThat(job.there())
                .containsExactly("master", "ps-0", "ps-1", "worker-0", "worker-1", "worker-2", "worker-3", "worker-5");
    }

    @Test
    void a_retry_while_its_role_shrinks_removes_the_worker() {
        Trial job = Trial.running(SeedJob.plan());
        job.state = job.state.withDesired(RoleType.WORKER, 3);
        job.exits("worker-1", TRY_AGAIN).decide();

        assertThat(job.messages(JobEvent.Type.REPLICA_DELETED))
                .containsExactly("removed elasticdl-test-mnist-worker-1: it requested a retry (exit code 75),"
                        + " and the role was scaled down");
        assertThat(job.messages(JobEvent.Type.RELAUNCHED)).isEmpty();
        assertThat(job.state.replicas().count(RoleType.WORKER, ReplicaStage.RUNNING))
                .isEqualTo(3);
    }

    @Test
    void a_temporary_exit_during_a_deletion_is_relaunched_without_delay() {
        Trial job = Trial.running(SeedJob.plan());
        job.change("worker-2", o -> o.withNotice(new NodeNotice("node-1", "cordoned")))
                .decide();
        job.decide();
        assertThat(job.replica("worker-4").stage()).isEqualTo(ReplicaStage.PENDING);

        job.exits("worker-0", TRY_AGAIN)
                .change("worker-0", o -> o.beingDeleted())
                .decide();
        assertThat(job.actions()).containsExactly("create worker-5");
        assertThat(job.replica("worker-5").retries()).isZero();
    }

    @Test
    void a_retry_during_suspension_starts_at_resume() {
        Trial job = Trial.running(SeedJob.plan());
        job.state = job.state.withSuspended(true);
        job.exits("worker-0", TRY_AGAIN).decide();

        assertThat(job.messages(JobEvent.Type.RELAUNCHED))
                .containsExactly("worker elasticdl-test-mnist-worker-0 requested a retry (exit code 75);"
                        + " elasticdl-test-mnist-worker-7 starts once the job is resumed");
    }

    @Test
    void a_temporary_exit_after_the_end_of_the_job_is_a_failure() {
        Trial job = Trial.running(SeedJob.plan());
        job.exits("master", 0).exits("worker-0", TRY_AGAIN).decide();

        assertThat(job.state.phase()).isEqualTo(JobPhase.SUCCEEDED);
        assertThat(job.messages(JobEvent.Type.REPLICA_FAILED))
                .containsExactly("elasticdl-test-mnist-worker-0 failed: exit code 75");
        assertThat(job.messages(JobEvent.Type.RELAUNCHED)).isEmpty();
    }

    @Test
    void a_temporary_exit_fails_under_restart_policy_never() {
        Trial job = with(RoleTemplate.builder().restart(RestartPolicy.NEVER));
        job.exits("worker-0", TRY_AGAIN).decide();

        assertThat(job.messages(JobEvent.Type.REPLICA_FAILED))
                .containsExactly("elasticdl-test-mnist-worker-0 failed: exit code 75");
        assertThat(job.messages(JobEvent.Type.RELAUNCH_LIMIT))
                .containsExactly("elasticdl-test-mnist-worker-0 is not relaunched: its restart policy is NEVER");
    }

    @Test
    void the_exit_code_70_ends_the_job_as_before() {
        Trial job = Trial.running(SeedJob.plan());
        job.exits("worker-0", 70).exits("worker-1", TRY_AGAIN).decide();

        assertThat(job.state.phase()).isEqualTo(JobPhase.FAILED);
        assertThat(job.state.message())
                .isEqualTo("elasticdl-test-mnist-worker-0 failed with exit code 70, which is fatal for the job");
    }

    @Test
    void the_policy_of_a_job_decides_what_75_means() {
        Trial free = with(RoleTemplate.builder().exitCodes(new ExitCodePolicy(Set.of(TRY_AGAIN), Set.of())));
        free.exits("worker-0", TRY_AGAIN).decide();
        assertThat(free.actions()).containsExactly("create worker-4");
        assertThat(free.replica("worker-4").relaunchesUsed()).isZero();

        Trial counted = with(RoleTemplate.builder().exitCodes(new ExitCodePolicy(Set.of(137), Set.of(70))));
        counted.exits("worker-0", TRY_AGAIN).decide();
        assertThat(counted.actions()).containsExactly("create worker-4");
        assertThat(counted.replica("worker-4").relaunchesUsed()).isEqualTo(1);

        Trial fatal = with(RoleTemplate.builder().exitCodes(new ExitCodePolicy(Set.of(), Set.of(TRY_AGAIN))));
        fatal.exits("worker-0", TRY_AGAIN).decide();
        assertThat(fatal.state.phase()).isEqualTo(JobPhase.FAILED);

        Trial other = with(RoleTemplate.builder().exitCodes(new ExitCodePolicy(Set.of(), Set.of(), Set.of(11))));
        other.exits("worker-0", 11).decide();
        assertThat(other.messages(JobEvent.Type.RELAUNCHED))
                .containsExactly("worker elasticdl-test-mnist-worker-0 requested a retry (exit code 11);"
                        + " elasticdl-test-mnist-worker-4 starts in 1s");
    }
}
