package dev.edl.k8s.preflight.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeFitTest {
    private static NodeBuilder node() {
        return new NodeBuilder()
                .withNewMetadata()
                .withName("n")
                .addToLabels("zone", "a")
                .addToLabels("cores", "8")
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .withNewStatus()
                .addToAllocatable("cpu", new Quantity("4"))
                .addToAllocatable("memory", new Quantity("8Gi"))
                .endStatus();
    }

    private static PodBuilder pod(String cpu) {
        return new PodBuilder()
                .withNewSpec()
                .addNewContainer()
                .withNewResources()
                .addToRequests("cpu", new Quantity(cpu))
                .endResources()
                .endContainer()
                .endSpec();
    }

    private static List<String> obstacles(Pod pod, Node node) {
        return NodeFit.of(pod, pod, node).obstacles().stream()
                .map(NodeFit.Obstacle::text)
                .toList();
    }

    @Test
    void a_pod_as_large_as_the_node_fits() {
        assertThat(obstacles(pod("4").build(), node().build())).isEmpty();
    }

    @Test
    void a_pod_that_is_too_large_is_reported_with_both_amounts() {
        assertThat(obstacles(pod("4500m").build(), node().build())).containsExactly("with cpu of 4 (4500m requested)");
    }

    @Test
    void a_cordon_is_temporary_and_its_taint_is_not_reported_twice() {
        Node cordoned = node().editSpec()
                .withUnschedulable(true)
                .addNewTaint()
                .withKey("node.kubernetes.io/unschedulable")
                .withEffect("NoSchedule")
                .endTaint()
                .endSpec()
                .build();

        NodeFit fit = NodeFit.of(pod("1").build(), pod("1").build(), cordoned);

        assertThat(fit.obstacles()).extracting(NodeFit.Obstacle::text).containsExactly("cordoned");
        assertThat(fit.passes()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "team, Equal, a, NoSchedule, true",
        "team, Equal, b, NoSchedule, false",
        "team, Exists, , NoSchedule, true",
        "team, Exists, , NoExecute, false",
        "team, Exists, , , true",
        ", Exists, , , true",
        "other, Exists, , , false"
    })
    void a_taint_keeps_off_a_pod_that_does_not_tolerate_it(
            String key, String operator, String value, String effect, boolean fits) {
        Node tainted = node().editSpec()
                .addNewTaint()
                .withKey("team")
                .withValue("a")
                .withEffect("NoSchedule")
                .endTaint()
                .endSpec()
                .build();
        Pod pod = pod("1").editSpec()
                .addNewToleration()
                .withKey(key)
                .withOperator(operator)
                .withValue(value)
                .withEffect(effect)
                .endToleration()
                .endSpec()
                .build();

        assertThat(obstacles(pod, tainted)).isEqualTo(fits ? List.of() : List.of("with the taint team=a:NoSchedule"));
    }

    @Test
    void a_prefer_no_schedule_taint_keeps_no_pod_off() {
        Node tainted = node().editSpec()
                .addNewTaint()
                .withKey("team")
                .withEffect("PreferNoSchedule")
                .endTaint()
                .endSpec()
                .build();

        assertThat(obstacles(pod("1").build(), tainted)).isEmpty();
    }

    // Keys of Kubernetes, its autoscalers and its providers, from their documentation.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "node.kubernetes.io/memory-pressure||wait until the node has recovered|true|false",
                "node.kubernetes.io/out-of-service|nodeshutdown|wait until the node has recovered|true|false",
                "node.cloudprovider.kubernetes.io/uninitialized|true|wait until the node has recovered|true|false",
                "startup-taint.cluster-autoscaler.kubernetes.io/cni||wait until the node has started|true|false",
                "node.cilium.io/agent-not-ready||wait until the node has started|true|false",
                "ToBeDeletedByClusterAutoscaler|1|use or add another node, because this one is about to go|false|false",
                "karpenter.sh/disrupted||use or add another node, because this one is about to go|false|false",
                "node-role.kubernetes.io/control-plane||use or add another node, because this one is reserved for the"
                        + " cluster's own components|false|false",
                "virtual-kubelet.io/provider|azure|use or add another node, because this one is virtual, and only its"
                        + " administrator can allow the job on it|false|false",
                "nvidia.com/gpu|present|use or add another node, because this one is for pods that request"
                        + " nvidia.com/gpu|false|false",
                "sandbox.gke.io/runtime|gvisor|set the pods' runtimeClassName to \"gvisor\", which tolerates the"
                        + " taint|false|true",
                "team||set PodOptions.builder().toleration(\"team\", \"NoSchedule\") if the node's administrator"
                        + " allows the job there|false|true"
            })
    void no_taint_is_removed(String key, String value, String advice, boolean passing, boolean own) {
        Node tainted = node().editSpec()
                .addNewTaint("NoSchedule", key, null, value)
                .endSpec()
                .editStatus()
                .addToAllocatable("nvidia.com/gpu", new Quantity("8"))
                .endStatus()
                .build();

        assertThat(NodeFit.of(pod("1").build(), pod("1").build(), tainted).obstacles())
                .singleElement()
                .satisfies(obstacle -> assertThat(obstacle.advice()).isEqualTo(advice))
                .satisfies(obstacle -> assertThat(obstacle.passing()).isEqualTo(passing))
                .satisfies(obstacle -> assertThat(obstacle.own()).isEqualTo(own));
    }

    @Test
    void an_overhead_as_large_as_the_node_is_no_fault_of_the_job() {
        Pod admitted = pod("1").editSpec()
                .addToOverhead("cpu", new Quantity("4"))
                .endSpec()
                .build();

        assertThat(NodeFit.of(pod("1").build(), admitted, node().build()).obstacles())
                .containsExactly(new NodeFit.Obstacle(
                        "with cpu of 4 (5 requested, of which the API server adds 4)",
                        "add a node with more cpu",
                        false,
                        false));
    }

    @Test
    void an_added_init_container_that_ends_adds_nothing() {
        Pod admitted = pod("5").editSpec()
                .addNewInitContainer()
                .withName("proxy-init")
                .withNewResources()
                .addToRequests("cpu", new Quantity("100m"))
                .endResources()
                .endInitContainer()
                .endSpec()
                .build();

        assertThat(NodeFit.of(pod("5").build(), admitted, node().build()).obstacles())
                .extracting(NodeFit.Obstacle::text)
                .containsExactly("with cpu of 4 (5 requested)");
    }

    @ParameterizedTest
    @CsvSource({
        "zone, In, a, true",
        "zone, In, b, false",
        "zone, NotIn, b, true",
        "zone, NotIn, a, false",
        "disk, NotIn, a, true",
        "zone, Exists, , true",
        "disk, Exists, , false",
        "disk, DoesNotExist, , true",
        "zone, DoesNotExist, , false",
        "cores, Gt, 7, true",
        "cores, Gt, 8, false",
        "cores, Lt, 9, true",
        "zone, Lt, 9, false"
    })
    void a_required_affinity_counts(String key, String operator, String value, boolean fits) {
        Pod pod = pod("1").editSpec()
                .withNewAffinity()
                .withNewNodeAffinity()
                .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                .addNewNodeSelectorTerm()
                .addToMatchExpressions(
                        new NodeSelectorRequirement(key, operator, value == null ? List.of() : List.of(value)))
                .endNodeSelectorTerm()
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endNodeAffinity()
                .endAffinity()
                .endSpec()
                .build();

        assertThat(obstacles(pod, node().build())).isEqualTo(fits ? List.of() : List.of("outside the affinity"));
    }
}
