package dev.edl.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.RoleType;
import dev.edl.reconcile.ObservedReplica;
import dev.edl.reconcile.ReplicaPhase;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;

class PodViewTest {
    private static final ObservedReplica WORKER = ObservedReplica.of("w4", RoleType.WORKER, 4, ReplicaPhase.PENDING);

    private static ObservedReplica seen(String status) {
        return seen("", status);
    }

    private static ObservedReplica seen(String metadata, String status) {
        Pod pod = Serialization.unmarshal("""
                apiVersion: v1
                kind: Pod
                metadata:
                  name: w4
                  annotations: {edl.dev/role: worker, edl.dev/replica-id: "4"}
                %s
                spec:
                  containers: [{name: elasticdl}, {name: sidecar}]
                status: %s
                """.formatted(metadata, status), Pod.class);
        return PodView.of(pod).orElseThrow();
    }

    private static ObservedReplica in(ReplicaPhase phase) {
        return ObservedReplica.of("w4", RoleType.WORKER, 4, phase);
    }

    @Test
    void a_pod_without_a_status_is_pending() {
        assertThat(seen("null")).isEqualTo(WORKER);
        assertThat(seen("{}")).isEqualTo(WORKER);
    }

    @Test
    void a_pod_that_fits_no_node_says_so() {
        assertThat(seen("{phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable}]}"))
                .isEqualTo(WORKER.because("Unschedulable"));
    }

    @Test
    void a_pod_without_its_image_says_so() {
        assertThat(
                        seen(
                                "{phase: Pending, containerStatuses: [{name: elasticdl, state: {waiting: {reason: ImagePullBackOff}}}]}"))
                .isEqualTo(WORKER.because("ImagePullBackOff"));
    }

    @Test
    void a_running_pod_is_running() {
        assertThat(seen("{phase: Running, containerStatuses: [{name: elasticdl, state: {running: {}}}]}"))
                .isEqualTo(in(ReplicaPhase.RUNNING));
    }

    @Test
    void a_pod_whose_node_is_not_heard_of_may_run_still() {
        assertThat(seen("{phase: Unknown}")).isEqualTo(in(ReplicaPhase.RUNNING));
    }

    @Test
    void the_exit_code_is_the_first_containers() {
        assertThat(seen("{phase: Failed, containerStatuses: [{name: sidecar, state: {terminated: {exitCode: 1}}},"
                        + " {name: elasticdl, state: {terminated: {exitCode: 137, reason: Error}}}]}"))
                .isEqualTo(in(ReplicaPhase.FAILED).exited(137).because("Error"));
    }

    @Test
    void success_has_no_reason() {
        assertThat(
                        seen(
                                "{phase: Succeeded, containerStatuses: [{name: elasticdl, state: {terminated: {exitCode: 0, reason: Completed}}}]}"))
                .isEqualTo(in(ReplicaPhase.SUCCEEDED).exited(0));
    }

    @Test
    void a_lack_of_memory_is_told_before_all_else() {
        assertThat(
                        seen(
                                "{phase: Failed, reason: Evicted, containerStatuses: [{name: elasticdl, state: {terminated: {exitCode: 137, reason: OOMKilled}}}]}"))
                .isEqualTo(in(ReplicaPhase.FAILED).exited(137).because("OOMKilled"));
    }

    @Test
    void a_preempted_pod_says_by_whom_before_it_says_how() {
        assertThat(seen("{phase: Failed, conditions: [{type: DisruptionTarget, status: 'True', reason:"
                        + " PreemptionByScheduler}], containerStatuses: [{name: elasticdl, state: {terminated: {exitCode:"
                        + " 143, reason: Error}}}]}"))
                .isEqualTo(in(ReplicaPhase.FAILED).exited(143).because("PreemptionByScheduler"));
    }

    @Test
    void a_pod_that_was_told_to_go_is_leaving() {
        assertThat(seen("  deletionTimestamp: '2026-01-31T12:00:00Z'", "{phase: Running}"))
                .isEqualTo(in(ReplicaPhase.RUNNING).leaving());
    }

    @Test
    void a_pod_of_somebody_else_is_no_replica() {
        Pod pod = new PodBuilder().withNewMetadata().withName("x").endMetadata().build();
        assertThat(PodView.of(pod)).isEmpty();
    }
}
