package dev.edl.k8s.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.k8s.nodes.NodeNotices.Mark;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeNoticesTest {
    static final List<String> KEYS = NodeNotices.STANDARD_TAINTS;

    private static Node node(boolean cordoned, Taint... taints) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName("node-2")
                .endMetadata()
                .withNewSpec()
                .withUnschedulable(cordoned ? true : null)
                .withTaints(taints)
                .endSpec()
                .build();
    }

    private static Taint taint(String key, String effect) {
        return new Taint(effect, key, null, "1");
    }

    private static Pod pod(Toleration... tolerations) {
        return new PodBuilder()
                .withNewSpec()
                .withNodeName("node-2")
                .withTolerations(tolerations)
                .endSpec()
                .build();
    }

    private static String notice(NodeNotices notices, Node node, Pod pod) {
        return NodeNotices.first(notices.of(node), pod).map(Mark::why).orElse("none");
    }

    @Test
    void a_schedulable_node_has_no_notice() {
        assertThat(notice(NodeNotices.standard(), node(false), pod())).isEqualTo("none");
        assertThat(notice(NodeNotices.standard(), new NodeBuilder().build(), pod()))
                .isEqualTo("none");
    }

    @Test
    void a_cordon_is_a_notice() {
        Taint own = taint("node.kubernetes.io/unschedulable", "NoSchedule");

        assertThat(notice(NodeNotices.standard(), node(true, own), pod())).isEqualTo("cordoned");
        assertThat(notice(NodeNotices.cordon(), node(true), pod())).isEqualTo("cordoned");
        assertThat(notice(NodeNotices.standard().withoutCordon(), node(true, own), pod()))
                .isEqualTo("none");
        assertThat(notice(NodeNotices.taints("acme/spot"), node(true), pod())).isEqualTo("none");
    }

    @ParameterizedTest
    @FieldSource("KEYS")
    void a_standard_taint_is_a_notice(String key) {
        assertThat(notice(NodeNotices.standard(), node(false, taint(key, "NoSchedule")), pod()))
                .isEqualTo("taint " + key);
        assertThat(notice(NodeNotices.standard(), node(true, taint(key, "NoExecute")), pod()))
                .isEqualTo("taint " + key);
        assertThat(notice(NodeNotices.cordon(), node(false, taint(key, "NoSchedule")), pod()))
                .isEqualTo("none");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kubernetes.azure.com/scalesetpriority",
                "DeletionCandidateOfClusterAutoscaler",
                "node.kubernetes.io/memory-pressure",
                "nvidia.com/gpu"
            })
    void another_taint_is_no_notice(String key) {
        assertThat(notice(NodeNotices.standard(), node(false, taint(key, "NoSchedule")), pod()))
                .isEqualTo("none");
        assertThat(notice(NodeNotices.standard().taint(key), node(false, taint(key, "NoSchedule")), pod()))
                .isEqualTo("taint " + key);
    }

    @Test
    void a_prefer_no_schedule_taint_is_no_notice() {
        assertThat(notice(
                        NodeNotices.standard(),
                        node(false, taint("karpenter.sh/disrupted", "PreferNoSchedule")),
                        pod()))
                .isEqualTo("none");
    }

    @ParameterizedTest
    @CsvSource({
        // key, operator, value, effect, whether it tolerates
        "karpenter.sh/disrupted, Exists, , , true",
        "karpenter.sh/disrupted, Exists, , NoSchedule, true",
        "karpenter.sh/disrupted, Exists, , NoExecute, false",
        "karpenter.sh/disrupted, Equal, 1, , true",
        "karpenter.sh/disrupted, , 1, , true",
        "karpenter.sh/disrupted, Equal, 2, , false",
        "karpenter.sh/else, Exists, , , false",
        ", Exists, , , true",
        ", Equal, 1, , false",
    })
    void a_tolerated_taint_is_no_notice(String key, String operator, String value, String effect, boolean tolerates) {
        Toleration toleration = new Toleration(effect, key, operator, null, value);

        assertThat(notice(
                        NodeNotices.standard(),
                        node(false, taint("karpenter.sh/disrupted", "NoSchedule")),
                        pod(toleration)))
                .isEqualTo(tolerates ? "none" : "taint karpenter.sh/disrupted");
    }

    @Test
    void a_pod_that_tolerates_cordons_stays() {
        Toleration all = new Toleration(null, "node.kubernetes.io/unschedulable", "Exists", null, null);

        assertThat(notice(NodeNotices.standard(), node(true), pod(all))).isEqualTo("none");
    }

    @Test
    void its_text_lists_its_rules() {
        assertThat(NodeNotices.cordon().taint("acme.example/maintenance"))
                .hasToString("cordon, taint acme.example/maintenance");
        assertThat(NodeNotices.cordon().withoutCordon()).hasToString("nothing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "Acme/x", "acme.example/", "acme/x=1"})
    void an_invalid_key_is_refused(String key) {
        assertThatThrownBy(() -> NodeNotices.taints(key))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the key of a taint must be a name of Kubernetes, with or without a prefix, was \"" + key
                        + "\"; for example acme.example/maintenance");
    }
}
