package dev.edl.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.plan.SeedJob;
import dev.edl.spec.RoleType;
import dev.edl.spec.RunPolicy;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import dev.edl.status.ObservedReplica;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuspendRuleTest {
    private static Trial suspended(Trial job) {
        job.state = job.state.withSuspended(true);
        return job.decide();
    }

    private static Trial resumed(Trial job) {
        job.state = job.state.withSuspended(false);
        return job.decide();
    }

    @Test
    void all_that_runs_goes_workers_first_and_the_leader_last() {
        Trial job = suspended(Trial.running(SeedJob.plan()));

        assertThat(job.state.phase()).isEqualTo(JobPhase.SUSPENDED);
        assertThat(job.actions())
                .containsExactly(
                        "delete worker-0: the job is suspended",
                        "delete worker-1: the job is suspended",
                        "delete worker-2: the job is suspended",
                        "delete worker-3: the job is suspended",
                        "delete ps-0: the job is suspended",
                        "delete ps-1: the job is suspended",
                        "delete master: the job is suspended");
        assertThat(job.messages(JobEvent.Type.JOB_SUSPENDED)).containsExactly("job test-mnist is suspended");
        assertThat(job.there()).isEmpty();
    }

    @Test
    void nothing_is_created_while_it_is_suspended() {
        Trial job = suspended(Trial.running(SeedJob.plan()));
        job.after(Duration.ofDays(1)).decide();

        assertThat(job.actions()).isEmpty();
        assertThat(job.decision().wakeAfter()).isEmpty();
        assertThat(job.messages(JobEvent.Type.RELAUNCHED)).isEmpty();
    }

    @Test
    void a_resumed_job_keeps_its_size_and_its_workers_get_new_ids() {
        Trial job = resumed(suspended(Trial.running(SeedJob.plan())).after(Duration.ofHours(1)));

        assertThat(job.state.phase()).isEqualTo(JobPhase.PENDING);
        assertThat(job.messages(JobEvent.Type.JOB_RESUMED)).containsExactly("job test-mnist is resumed");
        assertThat(job.there())
                .containsExactlyInAnyOrder(
                        "master pending",
                        "ps-0 pending",
                        "ps-1 pending",
                        "worker-4 pending",
                        "worker-5 pending",
                        "worker-6 pending",
                        "worker-7 pending");
        assertThat(job.replica("worker-5").index()).isEqualTo(1);
        assertThat(job.replica("ps-1").restarts()).isEqualTo(1);
        job.runAll();
        assertThat(job.decide().state.phase()).isEqualTo(JobPhase.RUNNING);
    }

    @Test
    void a_succeeded_replica_does_not_run_again_after_resume() {
        Trial job = Trial.running(SeedJob.plan());
        job.exits("worker-1", 0).decide();
        resumed(suspended(job));

        assertThat(job.there())
                .contains("worker-1", "worker-4 pending", "worker-6 pending")
                .hasSize(7);
    }

    @Test
    void suspension_does_not_change_used_relaunches() {
        Trial job = Trial.running(SeedJob.plan());
        job.exits("worker-0", 1).decide();
        job.runAll();
        job.decide();
        assertThat(job.replica("worker-4").relaunchesUsed()).isEqualTo(1);
        suspended(job);
        resumed(job);
        job.runAll();
        job.decide();

        assertThat(job.replica("worker-8").relaunchesUsed()).isEqualTo(1);
        assertThat(job.replica("worker-5").relaunchesUsed()).isZero();
    }

    @Test
    void a_replica_that_fails_during_suspension_is_relaunched_at_resume() {
        Trial job = Trial.running(SeedJob.plan());
        job.exits("worker-0", 137);
        suspended(job);
        assertThat(job.there()).containsExactly("worker-0");
        resumed(job);

        assertThat(job.there()).hasSize(8).doesNotContain("worker-1");
    }

    @Test
    void a_server_whose_pod_still_goes_is_waited_for() {
        Trial job = Trial.running(SeedJob.plan());
        ObservedReplica server = Objects.requireNonNull(job.objects.get(job.name("ps-0")));
        suspended(job);
        job.objects.put(server.name(), server.beingDeleted());
        resumed(job);
        assertThat(job.actions()).doesNotContain("create ps-0").contains("create ps-1");
        job.vanish("ps-0").decide();

        assertThat(job.actions()).containsExactly("create ps-0");
    }

    @Test
    void a_replica_observed_after_suspension_is_deleted() {
        Trial job = new Trial(SeedJob.plan()).decide();
        ObservedReplica worker = Objects.requireNonNull(job.objects.get(job.name("worker-0")));
        ObservedReplica server = Objects.requireNonNull(job.objects.get(job.name("ps-0")));
        job.objects.clear();
        suspended(job.after(Duration.ofSeconds(2)));
        job.objects.put(worker.name(), worker);
        job.objects.put(server.name(), server);
        job.after(Duration.ofSeconds(2)).decide();

        assertThat(job.actions())
                .contains("delete worker-0: the job is suspended", "delete ps-0: the job is suspended")
                .doesNotContain("delete ps-1: the job is suspended");
    }

    @Test
    void it_can_be_scaled_and_cancelled_meanwhile() {
        Trial job = suspended(Trial.running(SeedJob.plan()));
        job.state = job.state.withDesired(RoleType.WORKER, 4).withCancelled();
        job.decide();

        assertThat(job.state.phase()).isEqualTo(JobPhase.CANCELLED);
        assertThat(job.decide().there()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        // minutes of running, suspension and running again, with a deadline of 10 minutes: the final phase
        "9, 60, 9, RUNNING",
        "9, 60, 10, FAILED",
        "10, 60, 0, FAILED",
        "0, 600, 5, RUNNING",
    })
    void the_deadline_counts_from_the_start_when_it_is_resumed(int run, int rest, int again, JobPhase phase) {
        Trial job = Trial.running(SeedJob.plan(
                RunPolicy.builder().deadline(Duration.ofMinutes(10)).build()));
        job.after(Duration.ofMinutes(run)).decide();
        suspended(job);
        job.after(Duration.ofMinutes(rest)).decide();
        if (!job.state.phase().ended()) {
            assertThat(job.decision().wakeAfter()).isEmpty();
        }
        resumed(job);
        job.runAll();
        job.after(Duration.ofMinutes(again)).decide();

        assertThat(job.state.phase()).isEqualTo(phase);
    }

    @Test
    void a_parsed_state_stays_suspended() {
        Trial job = suspended(Trial.running(SeedJob.plan()));
        job.state = JobState.fromJson(job.state.toJson());
        job.decide();

        assertThat(job.state.phase()).isEqualTo(JobPhase.SUSPENDED);
        assertThat(job.actions()).isEqualTo(List.of());
        assertThat(resumed(job).there()).hasSize(7);
    }
}
