package dev.edl.k8s.internal.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.spec.RoleType;
import dev.edl.status.ObservedPhase;
import dev.edl.status.ObservedReplica;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PodMapperTest {
    private static final ObservedReplica WORKER = ObservedReplica.of("w4", RoleType.WORKER, 4, ObservedPhase.PENDING);

    private static ObservedReplica seen(String status) {
        return seen("", status);
    }

    private static ObservedReplica seen(String metadata, String status) {
        Pod pod = Serialization.unmarshal("""
                apiVersion: v1
                kind: Pod
                metadata:
                  name: w4
                  namespace: team-a
                  annotations: {edl.dev/role: worker, edl.dev/replica-id: "4"}
                %s
                spec:
                  nodeName: node-3
                  restartPolicy: Never
                  containers: [{name: elasticdl, resources: {limits: {memory: 16Mi}}}, {name: sidecar}]
                status: %s
                """.formatted(metadata, status), Pod.class);
        return PodMapper.of(pod).orElseThrow();
    }

    private static ObservedReplica in(ObservedPhase phase) {
        return ObservedReplica.of("w4", RoleType.WORKER, 4, phase);
    }

    @Test
    void a_pod_without_a_status_is_pending() {
        assertThat(seen("null")).isEqualTo(WORKER);
        assertThat(seen("{}")).isEqualTo(WORKER);
    }

    @Test
    void a_pod_without_its_claim_has_reason_and_fix() {
        assertThat(
                        seen("{phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable, message:"
                                        + " '0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims.'}]}")
                                .message())
                .hasValue("0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims; check its claims:"
                        + " kubectl get pvc");
    }

    @Test
    void an_unschedulable_pod_has_reason_and_fix() {
        assertThat(seen(
                        "{phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable, message:"
                                + " '0/3 nodes are available: 3 Insufficient cpu.'}]}"))
                .isEqualTo(WORKER.withReason("Unschedulable")
                        .withMessage(
                                "0/3 nodes are available: 3 Insufficient cpu; it starts once a node has capacity; a"
                                        + " lower"
                                        + " request or a higher priority helps"));
    }

    @Test
    void a_gated_pod_has_its_reason() {
        assertThat(seen(
                        "{phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: SchedulingGated, message:"
                                + " Scheduling is blocked due to non-empty scheduling gates}]}"))
                .isEqualTo(WORKER.withReason("SchedulingGated")
                        .withMessage("Scheduling is blocked due to non-empty scheduling gates"));
    }

    @Test
    void a_starting_pod_has_no_reason() {
        assertThat(seen(waits("elasticdl", "ContainerCreating", ""))).isEqualTo(WORKER);
        assertThat(seen(waits("elasticdl", "PodInitializing", ""))).isEqualTo(WORKER);
    }

    private static String waits(String container, String reason, String message) {
        return "{phase: Pending, containerStatuses: [{name: %s, state: {waiting: {reason: %s, message: '%s'}}}]}"
                .formatted(container, reason, message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ErrImageNeverPull  | Container image "a:1" is not present | Container image "a:1" is not present; load\
             the image on node-3, or have it pulled with imagePullPolicy("IfNotPresent")
            ErrImagePull       | a:1: not found                       | a:1: not found; check the image's name and\
             tag, and whether its registry needs an imagePullSecret
            ImagePullBackOff   | Back-off pulling image "a:1"         | Back-off pulling image "a:1"; check the\
             image's name and tag, and whether its registry needs an imagePullSecret
            InvalidImageName   | repository name must be lowercase    | repository name must be lowercase; a valid\
             image name is registry.example/team/name:tag
            CreateContainerConfigError | secret "s3" not found        | secret "s3" not found; create the missing\
             object in namespace team-a; the replica then starts by itself
            CreateContainerConfigError | container has runAsNonRoot and image will run as root | container has\
             runAsNonRoot and image will run as root; set PodOptions.runAsUser(1000), or build the image with a\
             numeric user other than 0
            CreateContainerError | the mount failed                   | the mount failed
            """)
    void a_pod_that_cannot_start_has_reason_and_fix(String reason, String message, String words) {
        assertThat(seen(waits("elasticdl", reason, message)))
                .isEqualTo(in(ObservedPhase.BLOCKED).withReason(reason).withMessage(words));
    }

    @Test
    void a_sidecar_that_cannot_start_is_named() {
        assertThat(seen(waits("sidecar", "InvalidImageName", "")))
                .isEqualTo(in(ObservedPhase.BLOCKED)
                        .withReason("InvalidImageName")
                        .withMessage("container sidecar; a valid image name is registry.example/team/name:tag"));
        assertThat(seen(waits("sidecar", "ErrImagePull", "").replace("containerStatuses", "initContainerStatuses"))
                        .phase())
                .isEqualTo(ObservedPhase.BLOCKED);
    }

    @Test
    void a_running_pod_is_running() {
        assertThat(seen("{phase: Running, containerStatuses: [{name: elasticdl, state: {running: {}}}]}"))
                .isEqualTo(in(ObservedPhase.RUNNING));
    }

    @Test
    void a_pod_of_an_unreachable_node_may_still_run() {
        assertThat(seen("{phase: Unknown}")).isEqualTo(in(ObservedPhase.RUNNING));
    }

    @Test
    void the_exit_code_is_the_first_containers() {
        assertThat(seen("{phase: Failed, containerStatuses: [{name: sidecar, state: {terminated: {exitCode: 1}}},"
                        + " {name: elasticdl, state: {terminated: {exitCode: 137, reason: Error}}}]}"))
                .isEqualTo(in(ObservedPhase.FAILED).withExitCode(137).withReason("Error"));
    }

    @Test
    void success_has_no_reason() {
        assertThat(
                        seen(
                                "{phase: Succeeded, containerStatuses: [{name: elasticdl, state: {terminated: {exitCode: 0, reason: Completed}}}]}"))
                .isEqualTo(in(ObservedPhase.SUCCEEDED).withExitCode(0));
    }

    private static String ended(String more) {
        return "{phase: Failed, containerStatuses: [{name: elasticdl, state: {terminated: {" + more + "}}}]}";
    }

    @Test
    void the_last_words_of_a_replica_are_one_line() {
        assertThat(seen(ended("exitCode: 1, reason: Error, message: \"reading\\n  no file /data/x\\n\"")))
                .isEqualTo(in(ObservedPhase.FAILED)
                        .withExitCode(1)
                        .withReason("Error")
                        .withMessage("reading | no file /data/x"));
    }

    @Test
    void a_long_termination_message_keeps_its_end() {
        String message = seen(ended("exitCode: 1, reason: Error, message: '" + "a".repeat(9999) + "the end'"))
                .message()
                .orElseThrow();
        assertThat(message).hasSize(400).startsWith("… aaa").endsWith("aaathe end");
    }

    @Test
    void a_long_message_of_kubernetes_keeps_its_beginning() {
        String message = seen("{phase: Failed, reason: Evicted, message: 'The node was low on " + "a".repeat(9999)
                        + "'}")
                .message()
                .orElseThrow();
        assertThat(message).hasSize(402).startsWith("The node was low on aaa").endsWith("aaa …");
    }

    @Test
    void a_command_missing_from_the_image_is_reported() {
        assertThat(seen(ended("exitCode: 128, reason: StartError, message: 'exec: no such file or directory'")))
                .isEqualTo(in(ObservedPhase.FAILED)
                        .withExitCode(128)
                        .withReason("StartError")
                        .withMessage("exec: no such file or directory; the role's command is not in its image"));
    }

    @Test
    void an_oom_kill_is_reported_first_and_with_its_limit() {
        assertThat(seen(ended("exitCode: 137, reason: OOMKilled")
                        .replace("phase: Failed", "phase: Failed, reason: Evicted")))
                .isEqualTo(in(ObservedPhase.FAILED)
                        .withExitCode(137)
                        .withReason("OOMKilled")
                        .withMessage("it ran out of memory at its limit of 16Mi; raise the role's memory"));
    }

    @Test
    void a_preemption_is_reported_before_the_exit_code() {
        assertThat(
                        seen(
                                ended("exitCode: 143, reason: Error")
                                        .replace(
                                                "phase: Failed",
                                                "phase: Failed, conditions: [{type: DisruptionTarget, status: 'True', reason: PreemptionByScheduler,"
                                                        + " message: 'default-scheduler: preempting to accommodate a higher priority pod'}]")))
                .isEqualTo(in(ObservedPhase.FAILED)
                        .withExitCode(143)
                        .withReason("PreemptionByScheduler")
                        .withMessage("default-scheduler: preempting to accommodate a higher priority pod")
                        .disrupted());
    }

    private static String byKubelet(String reason, String message) {
        return ended("exitCode: 137, reason: Error")
                .replace(
                        "phase: Failed",
                        "phase: Failed, reason: " + reason + ", message: '" + message
                                + "', conditions: [{type: DisruptionTarget, status: 'True', reason: TerminationByKubelet, message: '"
                                + message + "'}]");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Evicted    | The node was low on resource: memory. Container elasticdl was using 2Gi, which exceeds its request of 1Gi.
            Terminated | Pod was terminated in response to imminent node shutdown.
            """)
    void a_pod_ended_by_node_pressure_or_shutdown_was_disrupted(String reason, String message) {
        assertThat(seen(byKubelet(reason, message)))
                .isEqualTo(in(ObservedPhase.FAILED)
                        .withExitCode(137)
                        .withReason(reason)
                        .withMessage(message)
                        .disrupted());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Usage of EmptyDir volume \"data\" exceeds the limit \"1Mi\". ",
                "Pod ephemeral local storage usage exceeds the total limit of containers 1Gi. ",
                "Container elasticdl exceeded its local ephemeral storage limit \"1Gi\". "
            })
    void a_pod_evicted_for_its_own_usage_has_failed(String message) {
        assertThat(seen(byKubelet("Evicted", message)).phase()).isEqualTo(ObservedPhase.FAILED);
    }

    @Test
    void an_oom_killed_pod_has_failed_even_on_a_node_shutdown() {
        assertThat(seen(byKubelet("Evicted", "The node was low on resource: memory. ")
                                .replace("reason: Error", "reason: OOMKilled"))
                        .phase())
                .isEqualTo(ObservedPhase.FAILED);
    }

    private static final String TOLD_TO_GO = "  deletionTimestamp: '2026-01-31T12:00:00Z'";
    private static final Instant DUE = Instant.parse("2026-01-31T12:00:00Z");

    @Test
    void a_terminating_pod_is_leaving_by_the_end_of_its_grace() {
        assertThat(seen(TOLD_TO_GO, "{phase: Running}"))
                .isEqualTo(in(ObservedPhase.RUNNING).deletedBy(DUE));
    }

    @Test
    void a_deleted_pod_has_the_reason_of_its_deletion_not_its_exit() {
        String end = ended("exitCode: 143, reason: Error");
        assertThat(seen(TOLD_TO_GO, end))
                .isEqualTo(in(ObservedPhase.FAILED).withExitCode(143).deletedBy(DUE));
        assertThat(
                        seen(
                                TOLD_TO_GO,
                                end.replace(
                                        "phase: Failed",
                                        "phase: Failed, conditions: [{type: DisruptionTarget, status:"
                                                + " 'True', reason: EvictionByEvictionAPI, message: 'Eviction API: evicting'}]")))
                .isEqualTo(in(ObservedPhase.FAILED)
                        .withExitCode(143)
                        .disrupted()
                        .withReason("EvictionByEvictionAPI")
                        .withMessage("Eviction API: evicting")
                        .deletedBy(DUE));
    }

    @Test
    void a_terminating_pod_names_its_finalizers() {
        assertThat(seen(TOLD_TO_GO + "\n  finalizers: [example.com/hold, example.com/too]", "{phase: Running}"))
                .isEqualTo(in(ObservedPhase.RUNNING)
                        .withReason("Terminating")
                        .withMessage("it stays until its finalizers are removed: example.com/hold, example.com/too")
                        .deletedBy(DUE));
    }

    @Test
    void a_pod_without_the_jobs_labels_is_no_replica() {
        Pod pod = new PodBuilder().withNewMetadata().withName("x").endMetadata().build();
        assertThat(PodMapper.of(pod)).isEmpty();
    }
}
