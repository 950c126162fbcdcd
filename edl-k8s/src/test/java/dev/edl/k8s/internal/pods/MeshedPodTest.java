package dev.edl.k8s.internal.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.spec.RoleType;
import dev.edl.status.ObservedPhase;
import dev.edl.status.ObservedReplica;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;

/**
 * Pod in which a service mesh put its proxy before the main container, as Istio's holdApplicationUntilProxyStarts does.
 */
class MeshedPodTest {
    private static Pod pod(String annotation, String phase, String proxy, String main) {
        return Serialization.unmarshal("""
                apiVersion: v1
                kind: Pod
                metadata:
                  name: w4
                  namespace: team-a
                  annotations: {edl.dev/role: worker, edl.dev/replica-id: "4"%s}
                spec:
                  restartPolicy: Never
                  initContainers: [{name: istio-init}]
                  containers: [{name: istio-proxy, resources: {limits: {memory: 1Gi}}}, {name: elasticdl, resources: {limits: {memory: 16Mi}}}]
                status:
                  phase: %s
                  containerStatuses:
                  - {name: istio-proxy, state: {%s}}
                  - {name: elasticdl, state: {%s}}
                """.formatted(annotation, phase, proxy, main), Pod.class);
    }

    private static ObservedReplica seen(String phase, String proxy, String main) {
        return PodMapper.of(pod(", edl.dev/container: elasticdl", phase, proxy, main))
                .orElseThrow();
    }

    private static ObservedReplica in(ObservedPhase phase) {
        return ObservedReplica.of("w4", RoleType.WORKER, 4, phase);
    }

    private static final String RUNS = "running: {}";
    private static final String DONE = "terminated: {exitCode: 0, reason: Completed}";

    @Test
    void a_replica_out_of_memory_has_failed_while_its_proxy_runs() {
        assertThat(seen("Running", RUNS, "terminated: {exitCode: 137, reason: OOMKilled}"))
                .isEqualTo(in(ObservedPhase.FAILED)
                        .withExitCode(137)
                        .withReason("OOMKilled")
                        .withMessage("it ran out of memory at its limit of 16Mi; raise the role's memory")
                        .lingering());
    }

    @Test
    void a_replicas_exit_code_is_not_its_proxys() {
        assertThat(seen("Failed", DONE, "terminated: {exitCode: 137, reason: OOMKilled}"))
                .isEqualTo(in(ObservedPhase.FAILED)
                        .withExitCode(137)
                        .withReason("OOMKilled")
                        .withMessage("it ran out of memory at its limit of 16Mi; raise the role's memory"));
    }

    @Test
    void a_replica_that_ended_with_0_has_succeeded_while_its_proxy_runs() {
        assertThat(seen("Running", RUNS, DONE))
                .isEqualTo(in(ObservedPhase.SUCCEEDED).withExitCode(0).lingering());
    }

    @Test
    void a_replica_that_ended_with_0_has_succeeded_though_its_proxy_failed() {
        assertThat(seen("Failed", "terminated: {exitCode: 143, reason: Error}", DONE))
                .isEqualTo(in(ObservedPhase.SUCCEEDED).withExitCode(0));
    }

    @Test
    void a_replica_that_ended_with_0_on_an_eviction_of_its_pod_was_disrupted() {
        Pod evicted = pod("", "Failed", DONE, DONE);
        evicted.getStatus().setReason("Evicted");
        evicted.getStatus()
                .setConditions(Serialization.unmarshal(
                                "status: {conditions: [{type: DisruptionTarget, status: 'True', reason: TerminationByKubelet,"
                                        + " message: 'The node was low on resource: memory.'}]}",
                                Pod.class)
                        .getStatus()
                        .getConditions());

        assertThat(PodMapper.of(evicted).orElseThrow().phase()).isEqualTo(ObservedPhase.DISRUPTED);
    }

    @Test
    void a_replica_runs_when_its_container_does_though_its_proxy_waits() {
        assertThat(seen("Pending", "waiting: {reason: ImagePullBackOff}", RUNS).phase())
                .isEqualTo(ObservedPhase.RUNNING);
    }

    @Test
    void a_proxy_that_keeps_the_replica_from_starting_is_named() {
        assertThat(seen(
                        "Pending",
                        "waiting: {reason: ImagePullBackOff, message: 'no proxy:1'}",
                        "waiting: {reason: PodInitializing}"))
                .isEqualTo(in(ObservedPhase.BLOCKED)
                        .withReason("ImagePullBackOff")
                        .withMessage(
                                "no proxy:1; container istio-proxy; check the image's name and tag, and whether its registry"
                                        + " needs an imagePullSecret"));
    }

    @Test
    void a_native_sidecar_that_keeps_the_replica_from_starting_is_named() {
        Pod pod = pod("", "Pending", "waiting: {reason: PodInitializing}", "waiting: {reason: PodInitializing}");
        pod.getStatus()
                .setInitContainerStatuses(Serialization.unmarshal(
                                "status: {initContainerStatuses: [{name: linkerd-proxy, state: {waiting: {reason:"
                                        + " CrashLoopBackOff, message: back-off 10s}}}]}",
                                Pod.class)
                        .getStatus()
                        .getInitContainerStatuses());

        assertThat(PodMapper.of(pod).orElseThrow())
                .isEqualTo(in(ObservedPhase.BLOCKED)
                        .withReason("CrashLoopBackOff")
                        .withMessage("back-off 10s; container linkerd-proxy"));
    }

    @Test
    void an_init_container_that_failed_before_the_replica_began_is_named() {
        Pod pod = pod("", "Failed", "waiting: {reason: PodInitializing}", "waiting: {reason: PodInitializing}");
        pod.getStatus()
                .setInitContainerStatuses(Serialization.unmarshal(
                                "status: {initContainerStatuses: [{name: istio-init, state: {terminated: {exitCode: 255,"
                                        + " reason: Error, message: 'iptables: Permission denied'}}}]}",
                                Pod.class)
                        .getStatus()
                        .getInitContainerStatuses());

        assertThat(PodMapper.of(pod).orElseThrow())
                .isEqualTo(in(ObservedPhase.FAILED)
                        .withReason("Error")
                        .withMessage(
                                "iptables: Permission denied; container istio-init ended with exit code 255 before the"
                                        + " main container started"));
    }

    @Test
    void a_replica_without_the_annotation_is_found_by_its_containers_usual_name() {
        ObservedReplica seen = PodMapper.of(pod("", "Running", RUNS, "terminated: {exitCode: 3, reason: Error}"))
                .orElseThrow();

        assertThat(seen)
                .isEqualTo(in(ObservedPhase.FAILED)
                        .withExitCode(3)
                        .withReason("Error")
                        .lingering());
    }

    @Test
    void a_pod_lingers_only_for_a_container_that_is_no_native_sidecar() {
        Pod nativeSidecar = pod("", "Running", DONE, DONE);
        nativeSidecar
                .getStatus()
                .setInitContainerStatuses(Serialization.unmarshal(
                                "status: {initContainerStatuses: [{name: istio-proxy, state: {running: {}}}]}",
                                Pod.class)
                        .getStatus()
                        .getInitContainerStatuses());

        assertThat(PodMapper.lingers(nativeSidecar)).isFalse();
        assertThat(PodMapper.lingers(pod("", "Running", RUNS, RUNS))).isFalse();
        assertThat(PodMapper.lingers(pod("", "Failed", RUNS, DONE))).isFalse();
        assertThat(PodMapper.lingers(pod("", "Pending", "waiting: {reason: ImagePullBackOff}", DONE)))
                .isTrue();
    }

    @Test
    void a_replica_whose_container_ended_writes_no_more() {
        Pod pod = pod("", "Running", RUNS, DONE);

        assertThat(PodMapper.hasBegun(pod)).isTrue();
        assertThat(PodMapper.hasEnded(pod)).isTrue();
        assertThat(PodMapper.hasEnded(pod("", "Running", DONE, RUNS))).isFalse();
    }
}
