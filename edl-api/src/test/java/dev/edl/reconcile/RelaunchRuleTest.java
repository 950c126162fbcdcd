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
import dev.edl.status.ObservedPhase;
import dev.edl.status.ObservedReplica;
import dev.edl.status.ReplicaStage;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RelaunchRuleTest {
    private static Trial with(RoleTemplate.Builder defaults) {
        return Trial.running(SeedJob.plan(
                SeedJob.spec().defaults(defaults.image("img").build()).build()));
    }

    @ParameterizedTest
    @CsvSource({
        // policy, exit code (0: deleted), reason, used relaunches of the slot's limit of 1, successor, used
        // afterwards
        "ON_FAILURE,   0,          , 0, true,  0",
        "ON_FAILURE,   0,          , 1, true,  1",
        "ON_FAILURE, 137,          , 0, true,  0",
        "ON_FAILURE, 137,          , 1, true,  1",
        "ON_FAILURE, 137, OOMKilled, 0, true,  1",
        "ON_FAILURE, 137, OOMKilled, 1, false, 1",
        "ON_FAILURE, 137,   Evicted, 0, true,  1",
        "ON_FAILURE, 137,   Evicted, 1, false, 1",
        "ON_FAILURE,   1,          , 0, true,  1",
        "ON_FAILURE,   1,          , 1, false, 1",
        "NEVER,        0,          , 0, false, 0",
        "NEVER,      137,          , 0, false, 0",
        "NEVER,        1,          , 0, false, 0",
        "ALWAYS,       0,          , 0, true,  0",
        "ALWAYS,       1,          , 1, true,  2",
        "ALWAYS,     137, OOMKilled, 1, true,  2",
    })
    void a_worker_gets_a_successor_by_elasticdl_s_rule(
            RestartPolicy policy, int code, String reason, int spent, boolean successor, int after) {
        Trial job = with(RoleTemplate.builder().restart(policy));
        ReplicaState before = job.replica("worker-0");
        job.state = ImmutableJobState.copyOf(job.state)
                .withReplicas(changed(job, ImmutableReplicaState.copyOf(before).withRelaunchesUsed(spent)));
        if (code == 0) {
            job.vanish("worker-0");
        } else {
            job.exits("worker-0", code).change("worker-0", o -> reason == null ? o : o.withReason(reason));
        }
        job.decide();

        assertThat(job.actions()).isEqualTo(successor ? List.of("create worker-4") : List.of());
        assertThat(job.replica(successor ? "worker-4" : "worker-0").relaunchesUsed())
                .isEqualTo(after);
        assertThat(job.state.phase()).isEqualTo(JobPhase.RUNNING);
    }

    @ParameterizedTest
    @CsvSource({"worker-0, worker-4", "ps-1, ps-1"})
    void an_evicted_replica_is_always_relaunched_for_free(String replica, String next) {
        Trial job = with(RoleTemplate.builder().exitCodes(new ExitCodePolicy(Set.of(), Set.of(143))));
        job.exits(replica, 143)
                .change(
                        replica,
                        o -> o.withReason("Evicted")
                                .withMessage("The node was low on resource: memory.")
                                .disrupted())
                .decide();

        assertThat(job.messages(JobEvent.Type.REPLICA_FAILED))
                .containsExactly(job.name(replica) + " was disrupted: Evicted: The node was low on resource: memory.");
        // The old object has the name that a parameter server needs.
        boolean fresh = !replica.equals(next);
        assertThat(job.actions())
                .containsExactly(fresh ? "create " + next : "delete " + replica + ": makes room for its relaunch");
        job.decide();
        job.runAll();
        job.decide();
        assertThat(job.replica(next).stage()).isEqualTo(ReplicaStage.RUNNING);
        assertThat(job.replica(next).relaunchesUsed()).isZero();
    }

    private static ReplicaStates changed(Trial job, ReplicaState replica) {
        ReplicaStates.Editor all = job.state.replicas().edit();
        all.put(replica);
        return all.replicas();
    }

    @Test
    void the_relaunch_limit_belongs_to_the_slot_not_the_id() {
        Trial job = Trial.running(SeedJob.plan());
        job.exits("worker-0", 1).decide();
        job.runAll();
        job.decide();
        job.exits("worker-4", 1).decide();

        assertThat(job.actions()).isEmpty();
        assertThat(job.messages(JobEvent.Type.RELAUNCH_LIMIT))
                .containsExactly("elasticdl-test-mnist-worker-4 is not relaunched: it has used 1 of 1 relaunches");

        job.exits("worker-1", 1).decide();
        assertThat(job.actions()).containsExactly("create worker-5");
    }

    @Test
    void a_fatal_exit_code_ends_the_job() {
        Trial job = with(RoleTemplate.builder()
                .restart(RestartPolicy.ALWAYS)
                .exitCodes(new ExitCodePolicy(Set.of(137), Set.of(3))));
        job.exits("worker-2", 3).decide();

        assertThat(job.state.phase()).isEqualTo(JobPhase.FAILED);
        assertThat(job.state.message())
                .isEqualTo("elasticdl-test-mnist-worker-2 failed with exit code 3, which is fatal for the job");
    }

    @Test
    void a_parameter_server_is_recreated_under_its_name_after_its_deletion() {
        Trial job = Trial.running(SeedJob.plan());
        job.change("ps-1", ObservedReplica::beingDeleted).decide();
        assertThat(job.actions()).isEmpty();

        job.vanish("ps-1").decide();
        assertThat(job.actions()).containsExactly("create ps-1");
        assertThat(job.replica("ps-1").restarts()).isEqualTo(1);
        assertThat(job.replica("ps-1").id()).isEqualTo(1);
    }

    @Test
    void a_failed_parameter_server_s_object_makes_room_first() {
        Trial job = Trial.running(SeedJob.plan());
        job.exits("ps-0", 1).decide();
        assertThat(job.actions()).containsExactly("delete ps-0: makes room for its relaunch");

        job.decide();
        assertThat(job.actions()).containsExactly("create ps-0");
        assertThat(job.replica("ps-0").relaunchesUsed()).isEqualTo(1);
    }

    @Test
    void counted_relaunches_wait_and_free_ones_do_not() {
        Trial job = Trial.running(SeedJob.plan(RunPolicy.builder()
                .backoff(Backoff.doubling(Duration.ofSeconds(10), Duration.ofMinutes(5)))
                .build()));
        job.exits("worker-0", 1).exits("worker-1", 137).decide();

        assertThat(job.actions()).containsExactly("create worker-5");
        assertThat(job.messages(JobEvent.Type.RELAUNCHED))
                .containsExactly(
                        "Relaunch the worker: elasticdl-test-mnist-worker-0 after 10s",
                        "Relaunch the worker: elasticdl-test-mnist-worker-1");

        job.runAll();
        job.decide();
        assertThat(job.decision().wakeAfter()).hasValue(Duration.ofSeconds(10));
        assertThat(job.after(Duration.ofMillis(9_999)).decide().actions()).isEmpty();
        assertThat(job.after(Duration.ofMillis(1)).decide().actions()).containsExactly("create worker-4");
    }

    @Test
    void a_succeeded_replica_is_never_run_again() {
        Trial job = Trial.running(SeedJob.plan());
        job.exits("worker-0", 0).exits("ps-0", 0).decide();
        job.vanish("worker-0", "ps-0").decide();

        assertThat(job.actions()).isEmpty();
        assertThat(job.replica("worker-0").stage()).isEqualTo(ReplicaStage.SUCCEEDED);
        assertThat(job.replica("ps-0").stage()).isEqualTo(ReplicaStage.SUCCEEDED);
    }

    @Test
    void the_exit_code_of_a_deleted_replica_is_ignored() {
        Trial job = Trial.running(SeedJob.plan());
        job.exits("worker-0", 1)
                .change("worker-0", ObservedReplica::beingDeleted)
                .decide();

        assertThat(job.actions()).containsExactly("create worker-4");
        assertThat(job.replica("worker-4").relaunchesUsed()).isZero();
    }

    @Test
    void an_unobserved_creation_is_requested_again_and_not_missing() {
        Trial job = new Trial(SeedJob.plan(SeedJob.workers(1).build())).decide();
        job.objects.clear();

        assertThat(job.decide().actions()).isEmpty();
        assertThat(job.decision().wakeAfter()).hasValue(Duration.ofSeconds(1));
        assertThat(job.after(Duration.ofSeconds(1)).decide().actions()).containsExactly("create worker-0");
        assertThat(job.state.replicas()).hasSize(1);
    }

    @Test
    void an_id_of_an_unknown_object_is_not_reused() {
        Trial job = Trial.running(SeedJob.plan());
        job.objects.put(
                job.name("worker-4"),
                ObservedReplica.of(job.name("worker-4"), RoleType.WORKER, 4, ObservedPhase.RUNNING));
        job.vanish("worker-0").decide();

        assertThat(job.actions()).containsExactly("create worker-5", "delete worker-4: the job has no such replica");
    }
}
