package dev.edl.k8s.preflight;

import dev.edl.k8s.preflight.internal.FieldPaths;
import dev.edl.k8s.preflight.internal.LookupResult;
import dev.edl.k8s.preflight.internal.NodeFit;
import dev.edl.k8s.preflight.internal.PodSet;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Checks that each replica would fit on at least one node of the cluster, were that node empty. If it fits on none,
 * that is an error, but a warning if the obstacles of a node are temporary, or if the ConfigMap of a cluster autoscaler
 * shows that nodes may be added.
 */
final class NodeCheck {
    /** Status ConfigMap of Kubernetes' cluster autoscaler, in kube-system. */
    static final String AUTOSCALER = "cluster-autoscaler-status";

    private final CheckContext context;
    private final List<Node> nodes;

    private NodeCheck(CheckContext context, List<Node> nodes) {
        this.context = context;
        this.nodes = nodes;
    }

    static void check(CheckContext context) {
        LookupResult<NodeList> seen = context.lookUp(
                ProblemTopic.NODE,
                FieldPaths.of(context.groups(), "request"),
                "nodes",
                "list nodes",
                () -> context.client().nodes().list());
        seen.ifPresent(list -> {
            NodeCheck check = new NodeCheck(context, list.getItems());
            context.groups().forEach(check::check);
        });
    }

    private void check(PodSet podSet) {
        List<NodeFit> fits = nodes.stream()
                .map(node -> NodeFit.of(podSet.pod(), podSet.admitted(), node))
                .toList();
        if (fits.stream().anyMatch(NodeFit::fits)) {
            return;
        }
        Optional<NodeFit> nearest = fits.stream()
                .min(Comparator.comparing((NodeFit fit) -> !fit.passes())
                        .thenComparing(fit -> !fit.isOwn())
                        .thenComparing(fit -> fit.obstacles().size())
                        .thenComparing(fit -> fit.node().getMetadata().getName()));
        String what = "the pods fit no node";
        String why = nodes.isEmpty() ? "the cluster has no nodes" : reasons(fits);
        ProblemFix fix = nearest.map(NodeCheck::fix).orElseGet(() -> ProblemFix.of("add a node"));
        String where = podSet.path("request");
        if (nearest.filter(NodeFit::passes).isPresent()) {
            context.findings().warning(ProblemTopic.NODE, where, "no node accepts the pods at present", why, fix);
        } else if (nodesAreAdded()) {
            context.findings().warning(ProblemTopic.NODE, where, what + " unless the cluster adds one", why, fix);
        } else {
            context.findings().error(ProblemTopic.NODE, where, what, why, fix);
        }
    }

    /** Returns how many nodes each obstacle rules out, the most frequent obstacle first. */
    private String reasons(List<NodeFit> fits) {
        Map<String, Long> counts = fits.stream()
                .flatMap(fit ->
                        fit.obstacles().stream().map(NodeFit.Obstacle::text).distinct())
                .collect(Collectors.groupingBy(text -> text, TreeMap::new, Collectors.counting()));
        return "of " + nodes.size() + " node" + (nodes.size() == 1 ? "" : "s") + ": "
                + counts.entrySet().stream()
                        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                        .map(entry -> entry.getValue() + " " + entry.getKey())
                        .collect(Collectors.joining(", "));
    }

    private static ProblemFix fix(NodeFit nearest) {
        return ProblemFix.of(nearest.obstacles().stream()
                .map(NodeFit.Obstacle::advice)
                .distinct()
                .collect(Collectors.joining(", and ")));
    }

    private boolean nodesAreAdded() {
        LookupResult<ConfigMap> seen = context.lookUp(
                ProblemTopic.NODE,
                "request",
                "the cluster's autoscaler",
                "get configmaps of namespace \"kube-system\"",
                () -> context.client()
                        .configMaps()
                        .inNamespace("kube-system")
                        .withName(AUTOSCALER)
                        .get());
        return !seen.known() || seen.value().isPresent() || context.client().hasApiGroup("karpenter.sh", true);
    }
}
