package dev.edl.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.plan.JobPlan;
import dev.edl.plan.SeedJob;
import dev.edl.status.JobPhase;
import dev.edl.status.ObservedReplica;
import dev.edl.status.ReplicaStage;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class StateChangeDeferralTest {
    private final JobPlan plan = SeedJob.plan();

    /** Returns whether a driver that has only the state before a decision can derive the state after it. */
    private static boolean seenAgain(Trial trial) {
        JobState before = trial.state;
        return trial.decide().state.isDeferrableFrom(before);
    }

    private static Trial started(JobPlan plan) {
        Trial trial = new Trial(plan).decide();
        // Observes that all were created.
        return trial.decide();
    }

    private static ReplicaStage stage(Trial trial, String replica) {
        String name = "elasticdl-test-mnist-" + replica;
        return Objects.requireNonNull(trial.state.replicas().get(name), name).stage();
    }

    @Test
    void a_running_worker_is_derivable() {
        Trial trial = Trial.running(plan);
        trial.exits("worker-0", 137).decide();
        trial.decide();
        trial.runAll();

        assertThat(seenAgain(trial)).isTrue();
        assertThat(stage(trial, "worker-4")).isEqualTo(ReplicaStage.RUNNING);
    }

    @Test
    void the_reason_why_a_worker_waits_is_derivable() {
        Trial trial = started(plan);
        trial.change("worker-1", replica -> replica.withReason("Unschedulable"));

        assertThat(seenAgain(trial)).isTrue();
    }

    @Test
    void the_request_time_of_a_worker_is_derivable() {
        Trial trial = new Trial(plan).decide();
        JobState later = trial.state.withRequested(trial.state.replicas().keySet(), trial.now.plusSeconds(3));

        assertThat(later).isNotEqualTo(trial.state);
        assertThat(later.isDeferrableFrom(trial.state)).isTrue();
    }

    @Test
    void the_end_of_a_replaced_worker_is_derivable() {
        Trial trial = Trial.running(plan);
        trial.change("worker-0", ObservedReplica::beingDeleted).decide();
        trial.decide();
        trial.objects.remove("elasticdl-test-mnist-worker-0");

        assertThat(seenAgain(trial)).isTrue();
        assertThat(trial.state.replicas()).doesNotContainKey("elasticdl-test-mnist-worker-0");
    }

    @Test
    void a_state_is_derivable_from_itself() {
        Trial trial = Trial.running(plan);

        assertThat(seenAgain(trial)).isTrue();
    }

    @Test
    void a_new_replica_is_not_derivable() {
        assertThat(seenAgain(new Trial(plan))).isFalse();
    }

    @Test
    void the_first_observation_of_a_worker_is_not_derivable() {
        assertThat(seenAgain(new Trial(plan).decide())).isFalse();
    }

    @Test
    void the_start_of_the_job_is_not_derivable() {
        Trial trial = started(plan);
        trial.runAll();

        assertThat(seenAgain(trial)).isFalse();
        assertThat(trial.state.phase()).isEqualTo(JobPhase.RUNNING);
    }

    @Test
    void the_end_of_a_replica_is_not_derivable() {
        for (int code : new int[] {0, 1, 137}) {
            Trial trial = Trial.running(plan);

            assertThat(seenAgain(trial.exits("worker-2", code)))
                    .as("exit code " + code)
                    .isFalse();
        }
    }

    @Test
    void a_deletion_is_not_derivable() {
        Trial trial = Trial.running(plan);

        assertThat(seenAgain(trial.change("worker-2", ObservedReplica::beingDeleted)))
                .isFalse();
    }

    @Test
    void a_request_of_the_caller_is_not_derivable() {
        Trial trial = Trial.running(plan);

        assertThat(trial.state.withCancelled().isDeferrableFrom(trial.state)).isFalse();
        assertThat(trial.state.withSuspended(true).isDeferrableFrom(trial.state))
                .isFalse();
        assertThat(trial.state.withDesired(dev.edl.spec.RoleType.WORKER, 5).isDeferrableFrom(trial.state))
                .isFalse();
    }

    @Test
    void a_relaunched_server_is_not_derivable() {
        Trial trial = Trial.running(plan);
        JobState kept = trial.state;
        trial.exits("ps-0", 137).decide();
        trial.after(Duration.ofMinutes(1)).decide().decide();
        trial.runAll();
        trial.decide();

        assertThat(stage(trial, "ps-0")).isEqualTo(ReplicaStage.RUNNING);
        assertThat(trial.state.isDeferrableFrom(kept)).isFalse();
    }
}
