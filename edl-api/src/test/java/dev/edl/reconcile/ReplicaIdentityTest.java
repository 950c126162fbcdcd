package dev.edl.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.plan.JobPlan;
import dev.edl.plan.SeedJob;
import dev.edl.spec.RestartPolicy;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RoleType;
import dev.edl.status.JobEvent;
import dev.edl.status.NodeNotice;
import dev.edl.status.ObservedPhase;
import dev.edl.status.ObservedReplica;
import dev.edl.status.ReplicaStage;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A replica is the object with its uid, and no other object of its name. */
class ReplicaIdentityTest {
    private final Trial job = Trial.running(SeedJob.plan()).after(ReconcileContext.ASK_AGAIN);

    private ObservedReplica object(String replica) {
        return Objects.requireNonNull(job.objects.get(job.name(replica)), replica);
    }

    private String uid(String replica) {
        return object(replica).uid().orElseThrow();
    }

    /** Replaces the object of a name by another one in the same phase. */
    private String replaced(String replica) {
        String uid = job.uid();
        job.change(replica, o -> o.withUid(uid));
        return uid;
    }

    /** Lets a server fail and be recreated; returns its first object. */
    private ObservedReplica relaunched(String replica) {
        ObservedReplica first = object(replica).withExitCode(1);
        job.exits(replica, 1).decide().decide();
        assertThat(job.actions()).containsExactly("create " + replica);
        return first;
    }

    @Test
    void an_observed_replica_is_known_by_its_uid() {
        assertThat(job.replica("ps-0").uid()).contains(uid("ps-0"));
        assertThat(JobState.fromJson(job.state.toJson())).isEqualTo(job.state);
    }

    @Test
    void a_list_that_shows_the_predecessor_counts_no_end() {
        ObservedReplica first = relaunched("ps-0");
        job.objects.put(first.name(), first);
        job.decide();

        assertThat(job.replica("ps-0").stage()).isEqualTo(ReplicaStage.PENDING);
        assertThat(job.replica("ps-0").everObserved()).isFalse();
        assertThat(job.replica("ps-0").relaunchesUsed()).isEqualTo(1);
        assertThat(job.actions()).isEmpty();
        assertThat(job.messages(JobEvent.Type.REPLICA_FAILED)).isEmpty();
    }

    @Test
    void the_next_object_of_the_name_is_the_relaunched_replica() {
        ObservedReplica first = relaunched("ps-0");
        job.runAll();
        job.decide();

        assertThat(job.replica("ps-0").stage()).isEqualTo(ReplicaStage.RUNNING);
        assertThat(job.replica("ps-0").uid()).contains(uid("ps-0")).isNotEqualTo(first.uid());
    }

    @Test
    void a_server_recreated_unobserved_is_adopted() {
        String other = replaced("ps-0");
        job.decide();

        assertThat(job.actions()).isEmpty();
        assertThat(job.replica("ps-0").stage()).isEqualTo(ReplicaStage.RUNNING);
        assertThat(job.replica("ps-0").uid()).contains(other);
        assertThat(job.replica("ps-0").restarts()).isEqualTo(1);
        assertThat(job.replica("ps-0").relaunchesUsed()).isZero();
        assertThat(job.messages(JobEvent.Type.REPLICA_DELETED))
                .containsExactly("elasticdl-test-mnist-ps-0 was deleted: another object of its name exists");
        assertThat(job.messages(JobEvent.Type.REPLICA_CREATED))
                .containsExactly("adopted elasticdl-test-mnist-ps-0: another object of its name exists");
    }

    @Test
    void a_server_that_was_created_again_and_has_failed_makes_room() {
        String other = replaced("ps-0");
        job.exits("ps-0", 1).decide();

        assertThat(job.decision().actions())
                .containsExactly(new Action.DeleteReplica(
                        job.name("ps-0"), Optional.of(other), "makes room for its relaunch", true));
        job.decide();
        assertThat(job.actions()).containsExactly("create ps-0");
    }

    @Test
    void a_worker_recreated_under_its_name_is_deleted() {
        String other = replaced("worker-1");
        job.decide();

        assertThat(job.actions()).containsExactly("create worker-4", "delete worker-1: it has a successor");
        assertThat(job.decision().actions())
                .contains(
                        new Action.DeleteReplica(job.name("worker-1"), Optional.of(other), "it has a successor", true));
        assertThat(job.replica("worker-4").relaunchesUsed()).isZero();
    }

    @Test
    void a_replica_that_may_not_be_relaunched_is_not_adopted_either() {
        JobPlan once = SeedJob.plan(SeedJob.spec()
                .defaults(RoleTemplate.builder().restart(RestartPolicy.NEVER).build())
                .build());
        Trial trial = Trial.running(once).after(ReconcileContext.ASK_AGAIN);
        trial.change("worker-1", o -> o.withUid(trial.uid())).decide();

        assertThat(trial.replica("worker-1").stage()).isEqualTo(ReplicaStage.FAILED);
        assertThat(trial.actions()).containsExactly("delete worker-1: it has failed");
    }

    @Test
    void a_recreated_succeeded_worker_is_deleted() {
        job.exits("worker-1", 0).decide();
        replaced("worker-1");
        job.change("worker-1", o -> o.withPhase(ObservedPhase.RUNNING)).decide();

        assertThat(job.replica("worker-1").stage()).isEqualTo(ReplicaStage.SUCCEEDED);
        assertThat(job.actions()).containsExactly("delete worker-1: it has already succeeded");
        job.decide();
        assertThat(job.actions()).isEmpty();
    }

    @Test
    void a_deletion_names_the_object_that_was_observed() {
        Optional<String> uid = Optional.of(uid("worker-3"));
        job.state = job.state.withDesired(RoleType.WORKER, 3);
        job.decide();

        assertThat(job.decision().actions())
                .containsExactly(new Action.DeleteReplica(
                        job.name("worker-3"), uid, "scaled down to 3, the highest id goes first", true));
    }

    @Test
    void a_notice_for_the_predecessors_node_moves_no_replica() {
        ObservedReplica first = object("worker-0").withNotice(new NodeNotice("node-1", "cordoned"));
        job.state = JobState.builder()
                .from(job.state)
                .replicas(ReplicaStates.of(job.state.replicas().values().stream()
                        .map(r -> r.name().equals(first.name())
                                ? (ReplicaState) ImmutableReplicaState.copyOf(r)
                                        .withStage(ReplicaStage.PENDING)
                                        .withEverObserved(false)
                                        .withRequestedAt(job.now)
                                : r)
                        .toList()))
                .build();
        job.objects.put(first.name(), first);
        job.decide();

        assertThat(job.actions()).isEmpty();
    }

    @Test
    void a_state_without_uids_learns_them_from_observations() {
        String kept = job.state.toJson().replaceAll(",\"uid\":\"[^\"]*\"", "");
        assertThat(kept).isNotEqualTo(job.state.toJson());
        JobState now = job.state;
        job.state = JobState.fromJson(kept);
        job.decide();

        assertThat(job.state).isEqualTo(now);
        assertThat(job.actions()).isEmpty();
    }

    @Test
    void objects_without_a_uid_are_told_apart_by_their_names_only() {
        job.change("ps-0", o -> ObservedReplica.of(o.name(), o.role(), o.id(), o.phase()))
                .decide();

        assertThat(job.actions()).isEmpty();
        assertThat(job.replica("ps-0").stage()).isEqualTo(ReplicaStage.RUNNING);
    }
}
