package dev.edl.operators;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.k8s.spi.ObservedPod;
import dev.edl.operators.crd.ResourceStatus;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.reconcile.Decision;
import dev.edl.reconcile.JobObservation;
import dev.edl.reconcile.JobState;
import dev.edl.spec.RoleType;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import dev.edl.status.ObservedPhase;
import dev.edl.status.ObservedReplica;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DelegatedJobReconcilerTest {
    private static final Instant CREATED = Instant.parse("2026-01-01T00:00:00Z");
    private static final JobPlan PLAN = Job.named("mnist")
            .tensorflow()
            .image("mnist:1")
            .ps(1)
            .workers(2)
            .build()
            .plan(Profile.KUBEFLOW_V1);

    private DelegatedJobReconciler.Observation observed =
            new DelegatedJobReconciler.Observation(Optional.empty(), List.of());
    private JobState state = JobState.initial(PLAN);
    private int second;
    private final DelegatedJobReconciler reconciler =
            new DelegatedJobReconciler("TFJob default/mnist", () -> observed, List.of());

    private static CustomResourceState view(JobPhase phase, String message) {
        return new CustomResourceState(
                "1",
                CREATED,
                true,
                new ResourceStatus(phase, message),
                true,
                List.of(),
                Map.of(RoleType.PS, 1, RoleType.WORKER, 2),
                Optional.empty());
    }

    private static ObservedPod pod(int index, ObservedPhase phase) {
        return new ObservedPod(
                ObservedReplica.of("mnist-worker-" + index, RoleType.WORKER, index, phase), CREATED, 0, "");
    }

    private static ObservedPod failed(int index, int code) {
        return new ObservedPod(
                ObservedReplica.of("mnist-worker-" + index, RoleType.WORKER, index, ObservedPhase.FAILED)
                        .withExitCode(code),
                CREATED,
                0,
                "");
    }

    private Decision pass(CustomResourceState resource, ObservedPod... pods) {
        observed = new DelegatedJobReconciler.Observation(Optional.of(resource), Arrays.asList(pods));
        return pass();
    }

    private Decision pass() {
        Decision decision = reconciler.reconcile(PLAN, state, JobObservation.nothing(), CREATED.plusSeconds(second++));
        state = decision.next();
        return decision;
    }

    private static List<String> describe(Decision decision) {
        return decision.events().stream()
                .map(event -> event.type() + " " + event.message())
                .toList();
    }

    @Test
    void it_never_asks_for_anything() {
        assertThat(pass(view(JobPhase.RUNNING, "runs"), pod(0, ObservedPhase.RUNNING))
                        .actions())
                .isEmpty();
    }

    @Test
    void the_first_pass_reports_the_whole_state() {
        assertThat(describe(pass(
                        view(JobPhase.RUNNING, "runs"), pod(0, ObservedPhase.RUNNING), pod(1, ObservedPhase.PENDING))))
                .containsExactly(
                        "REPLICA_CREATED created mnist-worker-0",
                        "REPLICA_RUNNING mnist-worker-0 is running",
                        "REPLICA_CREATED created mnist-worker-1",
                        "JOB_RUNNING runs");
        assertThat(state.startedAt()).contains(CREATED);
    }

    @Test
    void the_same_again_is_nothing_new() {
        pass(view(JobPhase.RUNNING, "runs"), pod(0, ObservedPhase.RUNNING));

        assertThat(describe(pass(view(JobPhase.RUNNING, "runs"), pod(0, ObservedPhase.RUNNING))))
                .isEmpty();
    }

    @Test
    void a_restart_is_said_while_the_job_runs() {
        pass(view(JobPhase.RUNNING, "runs"));

        assertThat(describe(pass(view(JobPhase.RUNNING, "restarts")))).containsExactly("JOB_MESSAGE restarts");
    }

    @Test
    void a_failure_waits_a_second_for_the_pod_that_failed() {
        pass(view(JobPhase.RUNNING, "runs"), pod(0, ObservedPhase.RUNNING));

        Decision early = pass(view(JobPhase.FAILED, "1 failed"), pod(0, ObservedPhase.RUNNING));
        assertThat(state.phase()).isEqualTo(JobPhase.RUNNING);
        assertThat(early.wakeAfter()).contains(Duration.ofSeconds(1));
        second--;
        assertThat(describe(pass(view(JobPhase.FAILED, "1 failed"), failed(0, 3))))
                .containsExactly(
                        "REPLICA_FAILED mnist-worker-0 failed: exit code 3",
                        "JOB_FAILED 1 failed; mnist-worker-0: exit code 3");
    }

    @Test
    void a_failure_without_a_failed_pod_is_reported_after_a_second() {
        pass(view(JobPhase.FAILED, "deadline"));

        assertThat(describe(pass(view(JobPhase.FAILED, "deadline")))).containsExactly("JOB_FAILED deadline");
    }

    @Test
    void an_end_is_never_left() {
        pass(view(JobPhase.SUCCEEDED, "done"));
        pass(view(JobPhase.RUNNING, "runs"));
        assertThat(state.phase()).isEqualTo(JobPhase.SUCCEEDED);

        observed = new DelegatedJobReconciler.Observation(Optional.empty(), List.of());
        assertThat(pass().events()).isEmpty();
        assertThat(state.message()).isEqualTo("done");
    }

    @Test
    void an_ended_job_is_checked_while_its_pods_run() {
        assertThat(pass(view(JobPhase.SUCCEEDED, "done"), pod(0, ObservedPhase.RUNNING))
                        .wakeAfter())
                .isPresent();
        assertThat(pass(view(JobPhase.SUCCEEDED, "done"), pod(0, ObservedPhase.SUCCEEDED))
                        .wakeAfter())
                .isEmpty();
    }

    @Test
    void a_deletion_seen_before_its_request_is_a_cancellation() {
        observed = new DelegatedJobReconciler.Observation(Optional.empty(), List.of(), true);

        assertThat(describe(pass())).containsExactly("JOB_CANCELLED cancelled on request");
    }

    @Test
    void a_resource_that_is_gone_cancels_the_job() {
        assertThat(describe(pass())).containsExactly("JOB_CANCELLED TFJob default/mnist was deleted");
    }

    @Test
    void an_unreadable_status_leaves_the_phase_unchanged() {
        pass(view(JobPhase.RUNNING, "runs"));
        CustomResourceState illegible = new CustomResourceState(
                "1",
                CREATED,
                true,
                new ResourceStatus(JobPhase.PENDING, "status must be a map"),
                false,
                List.of(),
                Map.of(),
                Optional.empty());

        assertThat(describe(pass(illegible)))
                .containsExactly("JOB_MESSAGE its status cannot be read: status must be a map");
        assertThat(state.phase()).isEqualTo(JobPhase.RUNNING);
    }

    @Test
    void a_recreated_pod_of_the_same_name_is_another_replica() {
        pass(view(JobPhase.RUNNING, "runs"), failed(0, 137));
        ObservedPod next = new ObservedPod(
                ObservedReplica.of("mnist-worker-0", RoleType.WORKER, 0, ObservedPhase.PENDING),
                CREATED.plusSeconds(9),
                0,
                "");

        assertThat(describe(pass(view(JobPhase.RUNNING, "runs"), next)))
                .containsExactly("REPLICA_CREATED created mnist-worker-0");
    }

    @Test
    void a_pod_that_was_replaced_unseen_was_deleted() {
        pass(view(JobPhase.RUNNING, "runs"), pod(0, ObservedPhase.RUNNING));
        ObservedPod next = new ObservedPod(pod(0, ObservedPhase.PENDING).replica(), CREATED.plusSeconds(9), 0, "");

        assertThat(describe(pass(view(JobPhase.RUNNING, "runs"), next)))
                .containsExactly(
                        "REPLICA_DELETED mnist-worker-0 was deleted", "REPLICA_CREATED created mnist-worker-0");
    }

    @Test
    void a_container_restart_is_reported_with_its_previous_end() {
        pass(view(JobPhase.RUNNING, "runs"), pod(0, ObservedPhase.RUNNING));
        ObservedPod again = new ObservedPod(pod(0, ObservedPhase.RUNNING).replica(), CREATED, 1, "exit code 3 (Error)");

        assertThat(describe(pass(view(JobPhase.RUNNING, "runs"), again)))
                .containsExactly(
                        "RELAUNCHED Relaunch the worker: mnist-worker-0, which ended with exit code 3 (Error)");
    }

    @Test
    void the_exit_of_a_deleted_pod_is_part_of_the_deletion() {
        pass(view(JobPhase.RUNNING, "runs"), pod(0, ObservedPhase.RUNNING));
        ObservedPod leaving = new ObservedPod(failed(0, 143).replica().beingDeleted(), CREATED, 0, "");

        assertThat(describe(pass(view(JobPhase.RUNNING, "runs"), leaving)))
                .containsExactly("REPLICA_DELETED mnist-worker-0 was deleted");
        assertThat(pass(view(JobPhase.RUNNING, "runs")).events()).isEmpty();
        assertThat(state.replicas()).isEmpty();
    }

    @Test
    void of_several_pods_of_a_replica_the_last_one_counts() {
        ObservedPod first = new ObservedPod(
                ObservedReplica.of("mnist-worker-0-a", RoleType.WORKER, 0, ObservedPhase.FAILED)
                        .withExitCode(1),
                CREATED,
                0,
                "");
        ObservedPod second = new ObservedPod(
                ObservedReplica.of("mnist-worker-0-b", RoleType.WORKER, 0, ObservedPhase.RUNNING),
                CREATED.plusSeconds(5),
                0,
                "");
        pass(view(JobPhase.RUNNING, "runs"), first, second);

        assertThat(OperatorReplicaTracker.failed(state.replicas())).isEmpty();
        assertThat(state.replicas().get("mnist-worker-0-a")).hasToString("mnist-worker-0-a REPLACED exit 1");
    }

    @Test
    void another_number_of_replicas_is_reported_once() {
        CustomResourceState more = new CustomResourceState(
                "1",
                CREATED,
                true,
                new ResourceStatus(JobPhase.RUNNING, "runs"),
                true,
                List.of(),
                Map.of(RoleType.PS, 1, RoleType.WORKER, 4),
                Optional.empty());

        assertThat(pass(more).events())
                .contains(JobEvent.job(CREATED, JobEvent.Type.SCALED, "scaled worker from 2 to 4"));
        assertThat(pass(more).events()).isEmpty();
    }
}
