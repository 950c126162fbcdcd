package dev.edl.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.plan.SeedJob;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import dev.edl.status.ObservedPhase;
import dev.edl.status.ObservedReplica;
import dev.edl.status.ReplicaStage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Replicas that cannot start or whose object is not deleted. */
class BlockedReplicaTest {
    private static final String NO_IMAGE = "not found; check the image's name";

    private final Trial job = new Trial(SeedJob.plan()).decide();

    private static ObservedReplica in(ObservedPhase phase, ObservedReplica replica) {
        return ObservedReplica.of(replica.name(), replica.role(), replica.id(), phase);
    }

    private Trial block(String replica, String word) {
        return job.change(
                replica, o -> in(ObservedPhase.BLOCKED, o).withReason(word).withMessage(NO_IMAGE));
    }

    private List<String> blockedEvents() {
        return job.messages(JobEvent.Type.REPLICA_BLOCKED);
    }

    @Test
    void an_unschedulable_replica_is_reported_once() {
        job.change("worker-0", o -> o.withReason("Unschedulable").withMessage("3 Insufficient cpu"))
                .decide();
        assertThat(job.messages(JobEvent.Type.REPLICA_WAITING))
                .containsExactly("elasticdl-test-mnist-worker-0 waits: Unschedulable: 3 Insufficient cpu");

        job.change("worker-0", o -> o.withMessage("2 Insufficient cpu"))
                .after(Duration.ofDays(1))
                .decide();
        assertThat(job.messages(JobEvent.Type.REPLICA_WAITING)).isEmpty();
        assertThat(job.replica("worker-0").stage()).isEqualTo(ReplicaStage.PENDING);
    }

    @Test
    void a_blocked_replica_is_reported_at_once_and_once() {
        block("worker-0", "ErrImagePull").decide();
        assertThat(blockedEvents())
                .containsExactly("elasticdl-test-mnist-worker-0 cannot start: ErrImagePull: " + NO_IMAGE);
        assertThat(job.decision().wakeAfter()).contains(Duration.ofMinutes(10));

        block("worker-0", "ImagePullBackOff").after(Duration.ofMinutes(4)).decide();
        assertThat(blockedEvents()).isEmpty();
        assertThat(job.decision().wakeAfter()).contains(Duration.ofMinutes(6));
    }

    @Test
    void a_blocked_replica_that_starts_is_running() {
        block("worker-0", "ErrImagePull").decide();
        job.change("worker-0", o -> in(ObservedPhase.RUNNING, o))
                .after(Duration.ofMinutes(9))
                .decide();

        assertThat(job.messages(JobEvent.Type.REPLICA_RUNNING)).contains("elasticdl-test-mnist-worker-0 is running");
        assertThat(job.replica("worker-0").blockedSince()).isEmpty();
        assertThat(job.replica("worker-0").reason()).isEmpty();
    }

    @Test
    void after_ten_minutes_it_fails_and_follows_the_relaunch_rule() {
        job.runAll();
        block("worker-0", "ErrImagePull").decide();
        job.after(Duration.ofMinutes(10)).decide();
        assertThat(job.messages(JobEvent.Type.REPLICA_FAILED))
                .containsExactly(
                        "elasticdl-test-mnist-worker-0 failed: could not start for 10m: ErrImagePull: " + NO_IMAGE);
        assertThat(job.actions()).containsExactlyInAnyOrder("create worker-4", "delete worker-0: it has a successor");
        assertThat(job.replica("worker-4").relaunchesUsed()).isEqualTo(1);

        block("worker-4", "ErrImagePull").decide();
        job.after(Duration.ofMinutes(10)).decide();
        assertThat(job.messages(JobEvent.Type.RELAUNCH_LIMIT))
                .containsExactly("elasticdl-test-mnist-worker-4 is not relaunched: it has used 1 of 1 relaunches");
        assertThat(job.actions()).containsExactly("delete worker-4: it has failed");
    }

    @Test
    void a_job_ends_with_the_reason_of_a_server_that_cannot_start() {
        job.runAll();
        block("ps-0", "ErrImagePull").decide();
        job.after(Duration.ofMinutes(10)).decide();
        assertThat(job.actions()).containsExactly("delete ps-0: makes room for its relaunch");
        job.decide();
        block("ps-0", "ErrImagePull").decide();
        job.after(Duration.ofMinutes(10)).decide();

        assertThat(job.state.phase()).isEqualTo(JobPhase.FAILED);
        assertThat(job.state.message())
                .isEqualTo("elasticdl-test-mnist-ps-0: ErrImagePull: " + NO_IMAGE + ", and is not relaunched");
    }

    @Test
    void a_deletion_is_reported_with_its_reason() {
        job.runAll();
        job.decide();
        job.change(
                        "worker-1",
                        o -> o.withReason("PreemptionByScheduler")
                                .withMessage("preempting")
                                .beingDeleted())
                .decide();

        assertThat(job.messages(JobEvent.Type.REPLICA_DELETED))
                .containsExactly("elasticdl-test-mnist-worker-1 was deleted: PreemptionByScheduler: preempting");
    }

    @Test
    void an_old_object_is_force_deleted_1m_after_its_grace_period() {
        job.runAll();
        job.decide();
        Instant due = job.now.plusSeconds(30);
        job.change("ps-0", o -> o.deletedBy(due).withReason("Terminating").withMessage("it is held"))
                .decide();
        assertThat(job.actions()).isEmpty();
        assertThat(job.decision().wakeAfter()).contains(Duration.ofSeconds(90));

        job.after(Duration.ofSeconds(89)).decide();
        assertThat(job.actions()).isEmpty();

        ObservedReplica held = Objects.requireNonNull(job.objects.get(job.name("ps-0")));
        job.after(Duration.ofSeconds(1)).decide();
        assertThat(job.decision().actions())
                .containsExactly(new Action.DeleteReplica(
                        job.name("ps-0"), held.uid(), "still exists 1m after the grace period", false));
        assertThat(blockedEvents())
                .containsExactly(
                        "elasticdl-test-mnist-ps-0 cannot be relaunched: its old object still exists 1m after the"
                                + " grace period; force-deleting it; Terminating: it is held");

        // Its deletion is held by a finalizer.
        job.objects.put(held.name(), held);
        job.after(Duration.ofSeconds(59)).decide();
        assertThat(job.actions()).isEmpty();
        job.after(Duration.ofSeconds(1)).decide();
        assertThat(job.actions()).containsExactly("delete ps-0: still exists 1m after the grace period");
        assertThat(blockedEvents()).isEmpty();

        job.decide();
        assertThat(job.actions()).containsExactly("create ps-0");
    }

    @Test
    void without_force_deletion_a_server_waits_and_reports_it_once() {
        job.withoutForce().runAll();
        job.decide();
        job.change(
                        "ps-0",
                        o -> o.deletedBy(job.now.plusSeconds(30))
                                .withReason("Terminating")
                                .withMessage("it is held"))
                .decide();
        assertThat(job.decision().wakeAfter()).contains(Duration.ofSeconds(90));
        String why =
                "its old object still exists 1m after the grace period; force deletion is off, so it waits until that"
                        + " object is gone";

        job.after(Duration.ofSeconds(90)).decide();
        assertThat(job.actions()).isEmpty();
        assertThat(blockedEvents())
                .containsExactly(
                        "elasticdl-test-mnist-ps-0 cannot be relaunched: " + why + "; Terminating: it is held");
        assertThat(job.replica("ps-0").message()).contains(why);

        job.after(Duration.ofDays(1)).decide();
        assertThat(job.actions()).isEmpty();
        assertThat(blockedEvents()).isEmpty();
        assertThat(job.decision().wakeAfter()).isEmpty();

        job.vanish("ps-0").decide();
        assertThat(job.actions()).containsExactly("create ps-0");
        assertThat(job.replica("ps-0").message()).isEmpty();
    }

    @Test
    void a_worker_whose_old_object_stays_is_replaced_all_the_same() {
        job.runAll();
        job.decide();
        job.change("worker-0", o -> o.deletedBy(job.now.plusSeconds(30))).decide();
        assertThat(job.actions()).containsExactly("create worker-4");

        job.after(Duration.ofHours(1)).decide();
        assertThat(job.actions()).isEmpty();
    }
}
