package dev.edl.k8s.nodes;

import dev.edl.k8s.KubernetesExecutorBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Immutable rules for nodes that are about to go: cordoned nodes, and taints of certain keys. Workers leave such a node
 * with their grace period, before the node evicts them.
 *
 * <pre>{@code
 * KubernetesExecutor.builder()
 *     .nodeNotices(NodeNotices.standard().taint("acme.example/maintenance"))
 *     .build();
 * }</pre>
 *
 * <p>A notice counts for a pod if it keeps equal pods off the node: a taint of effect {@code NoSchedule} or
 * {@code NoExecute} that the pod does not tolerate. A tolerated taint, or effect {@code PreferNoSchedule}, does not
 * count, because the replacement could be scheduled to the same node.
 */
public final class NodeNotices {
    /**
     * Taint keys of {@link #standard}. They announce an interruption, maintenance or the end of a machine. They are
     * added:
     *
     * <ul>
     *   <li>on AWS (its Node Termination Handler),
     *   <li>on Google's GKE,
     *   <li>on Azure's AKS (its node auto-drain),
     *   <li>by the cluster autoscaler,
     *   <li>by Karpenter before and since its 1.0.
     * </ul>
     *
     * <p>Taints that only describe a kind of node are not in the list, such as
     * {@code kubernetes.azure.com/scalesetpriority}. Taints of nodes that may be removed later are not in it either,
     * such as {@code DeletionCandidateOfClusterAutoscaler} and
     * {@code aws-node-termination-handler/rebalance-recommendation}.
     */
    public static final List<String> STANDARD_TAINTS = List.of(
            "aws-node-termination-handler/spot-itn",
            "aws-node-termination-handler/scheduled-maintenance",
            "aws-node-termination-handler/asg-lifecycle-termination",
            "cloud.google.com/impending-node-termination",
            "remediator.kubernetes.azure.com/unschedulable",
            "ToBeDeletedByClusterAutoscaler",
            "karpenter.sh/disruption",
            "karpenter.sh/disrupted");

    /** Taint that Kubernetes itself adds to a cordoned node. */
    static final String CORDON = "node.kubernetes.io/unschedulable";

    private final boolean cordon;
    private final Set<String> taints;

    private NodeNotices(boolean cordon, Set<String> taints) {
        this.cordon = cordon;
        this.taints = Collections.unmodifiableSet(taints);
    }

    /**
     * Returns the rules for cordoned nodes, which {@code kubectl drain} cordons before it evicts their pods, and for
     * nodes with one of {@link #STANDARD_TAINTS}.
     */
    public static NodeNotices standard() {
        return new NodeNotices(true, new LinkedHashSet<>(STANDARD_TAINTS));
    }

    /** Returns the rule for cordoned nodes only. */
    public static NodeNotices cordon() {
        return new NodeNotices(true, new LinkedHashSet<>());
    }

    /**
     * Returns the rules for taints of these keys only.
     *
     * @param keys taint keys, such as {@code aws-node-termination-handler/spot-itn}
     * @throws IllegalArgumentException for an invalid taint key
     */
    public static NodeNotices taints(String... keys) {
        NodeNotices notices = new NodeNotices(false, new LinkedHashSet<>());
        for (String key : keys) {
            notices = notices.taint(key);
        }
        return notices;
    }

    /**
     * Returns a copy that also counts taints of this key, with any value.
     *
     * @param key taint key, such as {@code acme.example/maintenance}
     * @throws IllegalArgumentException for an invalid taint key
     */
    public NodeNotices taint(String key) {
        if (!key.matches("([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?")) {
            throw new IllegalArgumentException(
                    "the key of a taint must be a name of Kubernetes, with or without a prefix," + " was \"" + key
                            + "\"; for example acme.example/maintenance");
        }
        Set<String> more = new LinkedHashSet<>(taints);
        more.add(key);
        return new NodeNotices(cordon, more);
    }

    /** Returns a copy that ignores cordons: workers of a cordoned node stay until they are evicted. */
    public NodeNotices withoutCordon() {
        return new NodeNotices(false, taints);
    }

    /**
     * Watches the nodes of a cluster for several executors: see {@link KubernetesExecutorBuilder#nodeWatch}. Needs
     * {@code list} and {@code watch} of nodes, which have no namespace.
     *
     * @throws io.fabric8.kubernetes.client.KubernetesClientException when the client lacks these permissions, with the
     *     command that grants them, and when the cluster does not answer
     */
    public NodeWatch watch(KubernetesClient client) {
        return new NodeWatch(client, this);
    }

    /**
     * Notice that a node is about to go.
     *
     * @param why reason of the notice, for people
     * @param taint taint that keeps pods off the node
     */
    record Mark(String why, Taint taint) {
        boolean keepsOff(Pod pod) {
            return list(pod.getSpec().getTolerations()).stream().noneMatch(toleration -> tolerates(toleration, taint));
        }
    }

    /** Returns the notices of a node, taints before the cordon, because they are more specific. */
    List<Mark> of(Node node) {
        List<Mark> marks = new ArrayList<>();
        if (node.getSpec() == null) {
            return marks;
        }
        for (Taint taint : list(node.getSpec().getTaints())) {
            boolean keepsOff = "NoSchedule".equals(taint.getEffect()) || "NoExecute".equals(taint.getEffect());
            if (keepsOff && taints.contains(taint.getKey())) {
                marks.add(new Mark("taint " + taint.getKey(), taint));
            }
        }
        if (cordon && Boolean.TRUE.equals(node.getSpec().getUnschedulable())) {
            marks.add(new Mark("cordoned", new Taint("NoSchedule", CORDON, null, null)));
        }
        return marks;
    }

    /** Returns the first notice that counts for a pod. */
    static Optional<Mark> first(List<Mark> marks, Pod pod) {
        return marks.stream().filter(mark -> mark.keepsOff(pod)).findFirst();
    }

    /** Returns whether the toleration tolerates the taint, by the scheduler's rules. */
    private static boolean tolerates(Toleration toleration, Taint taint) {
        boolean any = "Exists".equals(toleration.getOperator());
        boolean effect =
                text(toleration.getEffect()).isEmpty() || toleration.getEffect().equals(taint.getEffect());
        boolean key =
                text(toleration.getKey()).isEmpty() ? any : toleration.getKey().equals(taint.getKey());
        return effect && key && (any || text(toleration.getValue()).equals(text(taint.getValue())));
    }

    private static String text(@Nullable String some) {
        return some == null ? "" : some;
    }

    private static <T> List<T> list(@Nullable List<T> some) {
        return some == null ? List.of() : some;
    }

    /** Returns, for example, {@code cordon, taint karpenter.sh/disrupted}. */
    @Override
    public String toString() {
        List<String> words = new ArrayList<>();
        if (cordon) {
            words.add("cordon");
        }
        taints.forEach(key -> words.add("taint " + key));
        return words.isEmpty() ? "nothing" : String.join(", ", words);
    }
}
