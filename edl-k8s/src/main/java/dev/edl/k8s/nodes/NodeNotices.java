package dev.edl.k8s.nodes;

import dev.edl.k8s.KubernetesExecutorBuilder;
import dev.edl.k8s.internal.pods.PodMapper;
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
 * What tells that a node is about to go: that it is cordoned, and taints of certain keys. Workers leave such a node, with their
 * grace, before they are taken from it. Immutable.
 *
 * <pre>{@code
 * KubernetesExecutor.builder()
 *     .nodeNotices(NodeNotices.standard().taint("acme.example/maintenance"))
 *     .build();
 * }</pre>
 *
 * <p>A notice counts for a pod when it keeps others like it off the node: a taint of effect {@code NoSchedule} or
 * {@code NoExecute} that the pod does not tolerate. One of effect {@code PreferNoSchedule}, or that is tolerated, is none: what
 * takes the pod's place might come to the same node.
 */
public final class NodeNotices {
    /**
     * The taints of {@link #standard}: what tells of an interruption, maintenance or the end of a machine on AWS (its Node
     * Termination Handler), on Google's GKE, on Azure's AKS (its node auto-drain), by the cluster autoscaler and by Karpenter
     * before and since its 1.0. Not among them are taints that only say of what sort a node is, as {@code
     * kubernetes.azure.com/scalesetpriority}, and those of candidates, as {@code DeletionCandidateOfClusterAutoscaler} and
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

    /** The taint that Kubernetes itself gives a node that is cordoned. */
    static final String CORDON = "node.kubernetes.io/unschedulable";

    private final boolean cordon;
    private final Set<String> taints;

    private NodeNotices(boolean cordon, Set<String> taints) {
        this.cordon = cordon;
        this.taints = Collections.unmodifiableSet(taints);
    }

    /** That a node is cordoned, as it is before {@code kubectl drain} evicts its pods, and {@link #STANDARD_TAINTS}. */
    public static NodeNotices standard() {
        return new NodeNotices(true, new LinkedHashSet<>(STANDARD_TAINTS));
    }

    /** That a node is cordoned, and nothing else. */
    public static NodeNotices cordon() {
        return new NodeNotices(true, new LinkedHashSet<>());
    }

    /**
     * Taints of these keys, and nothing else.
     *
     * @param keys {@code aws-node-termination-handler/spot-itn}
     * @throws IllegalArgumentException for what is no key of a taint
     */
    public static NodeNotices taints(String... keys) {
        NodeNotices notices = new NodeNotices(false, new LinkedHashSet<>());
        for (String key : keys) {
            notices = notices.taint(key);
        }
        return notices;
    }

    /**
     * The same, and a taint of this key, whatever its value.
     *
     * @param key {@code acme.example/maintenance}
     * @throws IllegalArgumentException for what is no key of a taint
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

    /** The same, where a node that is cordoned is not about to go: its workers stay until they are evicted. */
    public NodeNotices withoutCordon() {
        return new NodeNotices(false, taints);
    }

    /**
     * Begins to watch the nodes of a cluster, for several executors: see {@link KubernetesExecutorBuilder#nodeWatch}. Needs
     * {@code list} and {@code watch} of nodes, which have no namespace.
     *
     * @throws io.fabric8.kubernetes.client.KubernetesClientException when the client may not, with what helps, and when the
     *     cluster does not answer
     */
    public NodeWatch watch(KubernetesClient client) {
        return new NodeWatch(client, this);
    }

    /**
     * A notice that a node has.
     *
     * @param why in words
     * @param taint that keeps pods off
     */
    record Mark(String why, Taint taint) {
        boolean keepsOff(Pod pod) {
            return list(pod.getSpec().getTolerations()).stream().noneMatch(toleration -> tolerates(toleration, taint));
        }
    }

    /** The notices that a node has, taints before the cordon: they say more. */
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

    /** The first notice of some that counts for a pod. */
    static Optional<Mark> first(List<Mark> marks, Pod pod) {
        return marks.stream().filter(mark -> mark.keepsOff(pod)).findFirst();
    }

    /** As the scheduler decides it. */
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
        return PodMapper.list(some);
    }

    /** For example {@code cordon, taint karpenter.sh/disrupted}. */
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
