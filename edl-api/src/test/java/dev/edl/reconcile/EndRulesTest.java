package dev.edl.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.plan.JobPlan;
import dev.edl.plan.SeedJob;
import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.RestartPolicy;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RunPolicy;
import dev.edl.spec.SuccessPolicy;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class EndRulesTest {
    private static Trial with(RunPolicy.Builder policy) {
        return Trial.running(SeedJob.plan(policy.build()));
    }

    private static JobPlan workers(int count, RestartPolicy restart) {
        return SeedJob.plan(SeedJob.workers(count)
                .defaults(RoleTemplate.builder().restart(restart).build())
                .build());
    }

    private static void ended(Trial job, JobPhase phase, String message) {
        assertThat(job.state.phase()).isEqualTo(phase);
        assertThat(job.state.message()).isEqualTo(message);
        assertThat(job.state.endedAt()).hasValue(job.now);
    }

    @Test
    void the_job_succeeds_with_its_leader() {
        Trial job = Trial.running(SeedJob.plan());
        job.exits("master", 0).vanish("worker-0").decide();

        ended(job, JobPhase.SUCCEEDED, "elasticdl-test-mnist-master succeeded");
        assertThat(job.messages(JobEvent.Type.RELAUNCHED)).isEmpty();
    }

    @Test
    void a_job_without_a_leader_succeeds_when_every_worker_has() {
        Trial job = Trial.running(workers(2, RestartPolicy.ON_FAILURE));
        job.exits("worker-0", 0).decide();
        assertThat(job.state.phase()).isEqualTo(JobPhase.RUNNING);
        job.exits("worker-1", 0).decide();

        ended(job, JobPhase.SUCCEEDED, "all 2 workers succeeded");
    }

    @Test
    void a_leader_that_succeeds_unobserved_counts_as_started() {
        Trial job = new Trial(SeedJob.plan(
                        RunPolicy.builder().success(SuccessPolicy.ALL_WORKERS).build()))
                .decide();
        job.runAll();
        job.exits("master", 0).decide();

        assertThat(job.state.phase()).isEqualTo(JobPhase.RUNNING);
        assertThat(job.messages(JobEvent.Type.JOB_RUNNING)).containsExactly("job test-mnist is running");
    }

    @Test
    void finished_workers_do_not_end_a_job_that_has_a_leader() {
        Trial job = Trial.running(SeedJob.plan());
        for (int i = 0; i < 4; i++) {
            job.exits("worker-" + i, 0);
        }
        job.decide();

        assertThat(job.state.phase()).isEqualTo(JobPhase.RUNNING);
        assertThat(job.actions()).isEmpty();
    }

    @Test
    void all_workers_lost_for_good_fail_the_job() {
        Trial job = Trial.running(workers(2, RestartPolicy.NEVER));
        job.exits("worker-0", 1).exits("worker-1", 2).change("worker-1", o -> o.withReason("out of cheese"));
        job.decide();

        ended(
                job,
                JobPhase.FAILED,
                "All workers failed; the last one was elasticdl-flat-worker-1: exit code 2 (out of cheese)");
    }

    @Test
    void one_lost_worker_fails_a_job_that_needs_every_worker() {
        Trial job = Trial.running(workers(2, RestartPolicy.NEVER));
        job.exits("worker-0", 1).decide();

        ended(job, JobPhase.FAILED, "elasticdl-flat-worker-0: exit code 1, and is not relaunched");
        assertThat(job.actions()).containsExactly("delete worker-1: the job has ended");
    }

    @Test
    void a_job_with_a_leader_bears_a_lost_worker() {
        Trial job = Trial.running(SeedJob.plan());
        job.exits("worker-0", 1).decide();
        job.runAll();
        job.decide();
        job.exits("worker-4", 1).decide();

        assertThat(job.state.phase()).isEqualTo(JobPhase.RUNNING);
    }

    @Test
    void a_parameter_server_or_a_leader_beyond_its_limit_fails_the_job() {
        for (String replica : new String[] {"ps-1", "master"}) {
            Trial job = Trial.running(SeedJob.plan());
            job.exits(replica, 1).decide().decide();
            job.runAll();
            job.decide();
            job.exits(replica, 1).change(replica, o -> o.withReason("Evicted")).decide();

            ended(
                    job,
                    JobPhase.FAILED,
                    "elasticdl-test-mnist-" + replica + ": exit code 1 (Evicted), and is not relaunched");
        }
    }

    @Test
    void a_job_beyond_its_deadline_fails() {
        Trial job = with(RunPolicy.builder().deadline(Duration.ofMinutes(5)));
        assertThat(job.decision().wakeAfter()).hasValue(Duration.ofMinutes(5));
        job.after(Duration.ofMinutes(5)).decide();

        ended(job, JobPhase.FAILED, "ran longer than its deadline of 5m");
        assertThat(job.messages(JobEvent.Type.DEADLINE_EXCEEDED)).hasSize(1);
    }

    @Test
    void a_plan_with_unchecked_durations_waits_until_the_largest_instant() {
        Duration endless = Duration.ofSeconds(Long.MAX_VALUE);
        Trial job = with(RunPolicy.builder().deadline(endless).ttl(endless));
        Duration left = Duration.between(job.now, java.time.Instant.MAX);
        assertThat(job.decision().wakeAfter()).hasValue(left);
        job.exits("master", 0).decide();
        job.decide();

        assertThat(job.decision().wakeAfter()).hasValue(left);
    }

    @Test
    void a_cancelled_job_stops_workers_first_and_its_leader_last() {
        Trial job = with(RunPolicy.builder().cleanup(CleanupPolicy.NONE));
        job.state = job.state.withCancelled();
        job.decide();

        ended(job, JobPhase.CANCELLED, "cancelled on request");
        assertThat(job.actions())
                .containsExactly(
                        "delete worker-0: the job has ended",
                        "delete worker-1: the job has ended",
                        "delete worker-2: the job has ended",
                        "delete worker-3: the job has ended",
                        "delete ps-0: the job has ended",
                        "delete ps-1: the job has ended",
                        "delete master: the job has ended");
    }

    @Test
    void a_job_that_succeeds_while_it_is_cancelled_has_succeeded() {
        Trial job = Trial.running(SeedJob.plan());
        job.state = job.state.withCancelled();
        job.exits("master", 0).decide();

        assertThat(job.state.phase()).isEqualTo(JobPhase.SUCCEEDED);
    }

    @Test
    void cleanup_none_leaves_what_runs() {
        Trial job = with(RunPolicy.builder().cleanup(CleanupPolicy.NONE));
        job.exits("master", 0).decide();

        assertThat(job.actions()).isEmpty();
        assertThat(job.there()).hasSize(7);
    }

    @Test
    void cleanup_running_leaves_what_has_ended() {
        Trial job = with(RunPolicy.builder().cleanup(CleanupPolicy.RUNNING));
        job.exits("worker-0", 0).exits("worker-1", 1).exits("master", 0).decide();

        assertThat(job.there()).containsExactly("master", "worker-0", "worker-1");
    }

    @Test
    void cleanup_all_leaves_nothing() {
        Trial job = with(RunPolicy.builder().cleanup(CleanupPolicy.ALL));
        job.exits("worker-0", 0).exits("worker-1", 1).exits("master", 0);
        job.after(Duration.ofSeconds(1)).decide();

        assertThat(job.there()).isEmpty();
    }

    @Test
    void an_ended_job_is_collected_when_its_time_to_live_is_over() {
        Trial job = with(RunPolicy.builder().ttl(Duration.ofHours(1)));
        job.exits("master", 0).decide().decide();
        assertThat(job.decision().wakeAfter()).hasValue(Duration.ofHours(1));
        job.after(Duration.ofHours(1)).decide();

        assertThat(job.actions()).containsExactly("collect test-mnist");
        assertThat(job.after(Duration.ofSeconds(1)).decide().actions()).containsExactly("collect test-mnist");
        job.state = job.state.withCollected();
        assertThat(job.after(Duration.ofSeconds(9)).decide().actions()).isEmpty();
        assertThat(job.decision().wakeAfter()).isEmpty();
    }

    @Test
    void an_end_is_never_left() {
        Trial job = Trial.running(SeedJob.plan());
        job.exits("master", 0).decide();
        JobState end = job.state
                .withCancelled()
                .withDesired(dev.edl.spec.RoleType.WORKER, 8)
                .withFailed("x", job.now);
        job.state = end;
        job.vanish("master", "worker-0").after(Duration.ofHours(1)).decide();

        assertThat(job.state.phase()).isEqualTo(JobPhase.SUCCEEDED);
        assertThat(job.actions()).isEmpty();
    }

    @Test
    void unobserved_creations_are_deleted_for_the_observation_lag_after_the_end() {
        Trial job = new Trial(SeedJob.plan(SeedJob.workers(1).build())).decide();
        job.objects.clear();
        job.state = job.state.withCancelled();
        job.after(Duration.ofSeconds(1)).decide();
        assertThat(job.actions()).containsExactly("delete worker-0: the job has ended");

        job.after(Duration.ofSeconds(29)).decide();
        assertThat(job.actions()).containsExactly("delete worker-0: the job has ended");

        job.after(Duration.ofSeconds(1)).decide();
        assertThat(job.actions()).isEmpty();
        assertThat(job.state.replicas()).isEmpty();
    }
}
