package dev.edl.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.plan.SeedJob;
import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.RunPolicy;
import dev.edl.status.JobPhase;
import dev.edl.status.ObservedReplica;
import dev.edl.status.ReplicaStage;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Ended replicas whose pod a sidecar keeps from ending. */
class LingeringReplicaTest {
    private static final String DELETE = "delete worker-0: it has ended, and a sidecar keeps its object";

    private final Trial job = Trial.running(SeedJob.plan()).after(ReconcileContext.ASK_AGAIN);

    private Trial lingers(String replica, int code) {
        return job.change(replica, o -> o.withExitCode(code).lingering());
    }

    private ObservedReplica object(String replica) {
        return Objects.requireNonNull(job.objects.get(job.name(replica)), replica);
    }

    @Test
    void success_is_persisted_with_the_decision_that_deletes_the_object() {
        String uid = object("worker-0").uid().orElseThrow();
        lingers("worker-0", 0).decide();

        assertThat(job.replica("worker-0").stage()).isEqualTo(ReplicaStage.SUCCEEDED);
        assertThat(job.actions()).containsExactly(DELETE);
        assertThat(job.decision().actions())
                .singleElement()
                .isInstanceOfSatisfying(
                        Action.DeleteReplica.class,
                        delete -> assertThat(delete.uid()).contains(uid));
        assertThat(job.decide().replica("worker-0").stage()).isEqualTo(ReplicaStage.SUCCEEDED);
        assertThat(job.actions()).isEmpty();
    }

    @Test
    void a_replica_that_failed_is_relaunched_and_its_object_deleted() {
        lingers("worker-0", 1).decide();

        assertThat(job.actions()).containsExactlyInAnyOrder("create worker-4", DELETE);
        assertThat(job.replica("worker-4").stage()).isEqualTo(ReplicaStage.PENDING);
    }

    @Test
    void the_substrate_is_asked_again_until_the_object_is_told_to_go() {
        ObservedReplica object = object("worker-0").withExitCode(0).lingering();
        lingers("worker-0", 0).decide();
        job.objects.put(object.name(), object);
        job.decide();
        assertThat(job.actions()).isEmpty();

        job.after(ReconcileContext.ASK_AGAIN).decide();
        assertThat(job.actions()).containsExactly(DELETE);

        job.objects.put(object.name(), object.beingDeleted());
        job.after(ReconcileContext.ASK_AGAIN).decide();
        assertThat(job.actions()).isEmpty();
        assertThat(job.replica("worker-0").stage()).isEqualTo(ReplicaStage.SUCCEEDED);
    }

    @Test
    void an_object_that_ended_stays() {
        job.exits("worker-0", 0).decide();

        assertThat(job.actions()).isEmpty();
        assertThat(job.there()).contains("worker-0");
    }

    @Test
    void no_cleanup_keeps_what_a_sidecar_keeps_running() {
        Trial kept = Trial.running(SeedJob.plan(
                        RunPolicy.builder().cleanup(CleanupPolicy.NONE).build()))
                .after(ReconcileContext.ASK_AGAIN);
        kept.change("master", o -> o.withExitCode(0).lingering()).decide();

        assertThat(kept.state.phase()).isEqualTo(JobPhase.SUCCEEDED);
        assertThat(kept.actions()).containsExactly("delete master: it has ended, and a sidecar keeps its object");
    }

    @Test
    void a_new_driver_deletes_the_lingering_object_of_its_predecessor() {
        ObservedReplica object = object("worker-0").withExitCode(0).lingering();
        lingers("worker-0", 0).decide();
        job.objects.put(object.name(), object);
        job.state = JobState.fromJson(job.state.toJson());
        job.after(ReconcileContext.ASK_AGAIN).decide();

        assertThat(job.actions()).containsExactly(DELETE);
    }
}
