package dev.edl.k8s.preflight.internal;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Decides whether a pod's node selector and affinity select a node, by labels. */
final class NodeSelection {
    private NodeSelection() {}

    /** Returns the selector's labels that the node lacks; empty if it has all. */
    static Map<String, String> missingLabels(PodSpec pod, Node node) {
        Map<String, String> missing = new TreeMap<>(pod.getNodeSelector());
        missing.entrySet()
                .removeIf(wanted -> wanted.getValue().equals(labels(node).get(wanted.getKey())));
        return missing;
    }

    /** Returns whether the node matches one term of the pod's required affinity. */
    static boolean affinityHolds(PodSpec pod, Node node) {
        Affinity affinity = pod.getAffinity();
        if (affinity == null
                || affinity.getNodeAffinity() == null
                || affinity.getNodeAffinity().getRequiredDuringSchedulingIgnoredDuringExecution() == null) {
            return true;
        }
        return affinity
                .getNodeAffinity()
                .getRequiredDuringSchedulingIgnoredDuringExecution()
                .getNodeSelectorTerms()
                .stream()
                .anyMatch(term -> holds(term, node));
    }

    private static boolean holds(NodeSelectorTerm term, Node node) {
        boolean empty =
                term.getMatchExpressions().isEmpty() && term.getMatchFields().isEmpty();
        return !empty
                && term.getMatchExpressions().stream()
                        .allMatch(wanted -> holds(wanted, labels(node).get(wanted.getKey())))
                && term.getMatchFields().stream()
                        .allMatch(wanted -> holds(wanted, node.getMetadata().getName()));
    }

    private static boolean holds(NodeSelectorRequirement wanted, @Nullable String value) {
        return switch (wanted.getOperator()) {
            case "In" -> value != null && wanted.getValues().contains(value);
            case "NotIn" -> value == null || !wanted.getValues().contains(value);
            case "Exists" -> value != null;
            case "DoesNotExist" -> value == null;
            case "Gt" ->
                number(value)
                        .flatMap(v -> number(wanted.getValues().get(0)).map(w -> v > w))
                        .orElse(false);
            case "Lt" ->
                number(value)
                        .flatMap(v -> number(wanted.getValues().get(0)).map(w -> v < w))
                        .orElse(false);
            // Unknown operator of a newer Kubernetes: counts as a match.
            default -> true;
        };
    }

    private static Optional<Long> number(@Nullable String text) {
        return text != null && text.matches("-?\\d{1,18}") ? Optional.of(Long.parseLong(text)) : Optional.empty();
    }

    private static Map<String, String> labels(Node node) {
        Map<String, String> labels = node.getMetadata().getLabels();
        return labels == null ? Map.of() : labels;
    }
}
