package dev.edl.k8s.nodes;

import dev.edl.exec.Subscription;
import dev.edl.k8s.client.MissingPermission;
import dev.edl.k8s.client.ReconnectingInformer;
import dev.edl.k8s.nodes.NodeNotices.Mark;
import dev.edl.status.NodeNotice;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeSpec;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.BasicItemStore;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Watch of a cluster's nodes that are about to go, shared by all jobs of one or several executors; opened by
 * {@link NodeNotices#watch}. It keeps only name, cordon and taints of each node. The caller that opened it closes it.
 * Thread-safe.
 */
public final class NodeWatch implements AutoCloseable {
    /** Interval in milliseconds at which known nodes are passed to the handler again; 0 for never. */
    private static final long RESYNC_MILLIS = 0;

    private final NodeNotices notices;
    private final Map<String, List<Mark>> going = new ConcurrentHashMap<>();
    private final List<Runnable> wakes = new CopyOnWriteArrayList<>();
    private final SharedIndexInformer<Node> nodes;

    NodeWatch(KubernetesClient client, NodeNotices notices) {
        this.notices = Objects.requireNonNull(notices, "notices");
        this.nodes = ReconnectingInformer.tried(
                ReconnectingInformer.consistent(client.nodes())
                        .runnableInformer(RESYNC_MILLIS)
                        .itemStore(new Slim())
                        .addEventHandler(new ResourceEventHandler<>() {
                            @Override
                            public void onAdd(Node node) {
                                update(node);
                            }

                            @Override
                            public void onUpdate(Node before, Node node) {
                                update(node);
                            }

                            @Override
                            public void onDelete(Node node, boolean unknown) {
                                if (going.remove(node.getMetadata().getName()) != null) {
                                    wakes.forEach(Runnable::run);
                                }
                            }
                        }),
                "nodes, for notices,");
        try {
            nodes.run();
        } catch (KubernetesClientException e) {
            nodes.close();
            throw e.getCode() == HttpURLConnection.HTTP_FORBIDDEN ? forbidden(e) : e;
        }
    }

    /**
     * Store that keeps only the relevant fields: a cluster may have thousands of nodes, each with a long status that
     * changes constantly.
     */
    private static final class Slim extends BasicItemStore<Node> {
        Slim() {
            super(Cache::metaNamespaceKeyFunc);
        }

        /** Stores only the node's name, uid, resource version, cordon and taints. */
        @Override
        public Node put(String key, Node node) {
            NodeSpec spec = node.getSpec() == null ? new NodeSpec() : node.getSpec();
            return super.put(
                    key,
                    new NodeBuilder()
                            .withNewMetadata()
                            .withName(node.getMetadata().getName())
                            .withUid(node.getMetadata().getUid())
                            .withResourceVersion(node.getMetadata().getResourceVersion())
                            .endMetadata()
                            .withNewSpec()
                            .withUnschedulable(spec.getUnschedulable())
                            .withTaints(spec.getTaints())
                            .endSpec()
                            .build());
        }
    }

    private static KubernetesClientException forbidden(KubernetesClientException why) {
        String said =
                why.getStatus() == null ? why.getMessage() : why.getStatus().getMessage();
        return new KubernetesClientException(
                "nodeNotices needs to watch nodes, which fails: " + said
                        + "; grant it with SubmitterRole.of(plan, options).nodeNotices(), or remove nodeNotices"
                        + MissingPermission.in(String.valueOf(said))
                                .map(permission ->
                                        MissingPermission.granting(permission.command(List.of("list", "watch"))))
                                .orElse(""),
                why,
                why.getCode(),
                why.getStatus(),
                null);
    }

    private void update(Node node) {
        String name = node.getMetadata().getName();
        List<Mark> marks = notices.of(node);
        List<Mark> before = marks.isEmpty() ? going.remove(name) : going.put(name, marks);
        if (!marks.equals(before == null ? List.of() : before)) {
            wakes.forEach(Runnable::run);
        }
    }

    /**
     * Returns the first notice of the pod's node that counts for this pod; empty if none counts, or the pod is not
     * scheduled.
     */
    public Optional<NodeNotice> notice(Pod pod) {
        String node = pod.getSpec() == null ? null : pod.getSpec().getNodeName();
        if (node == null || going.isEmpty()) {
            return Optional.empty();
        }
        return NodeNotices.first(going.getOrDefault(node, List.of()), pod)
                .map(mark -> new NodeNotice(node, mark.why()));
    }

    /** Calls {@code wake} whenever the notices of a node have changed, until the subscription is closed. */
    public Subscription onChange(Runnable wake) {
        wakes.add(wake);
        return () -> wakes.remove(wake);
    }

    /** Ends the watch. A second call does nothing. */
    @Override
    public void close() {
        nodes.close();
    }

    /** Returns, for example, {@code nodes about to go: node-2 (cordoned)}, or {@code none} instead of the names. */
    @Override
    public String toString() {
        String names = String.join(
                ", ",
                going.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(node ->
                                node.getKey() + " (" + node.getValue().get(0).why() + ")")
                        .toList());
        return "nodes about to go: " + (names.isEmpty() ? "none" : names);
    }
}
