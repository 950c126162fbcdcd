package dev.edl.k8s.preflight.internal;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether a node is one of those that a pod names, by labels. */
final class NodeSelection {
    private NodeSelection() {}

    /** The labels of the selector that a node has not, as {@code key=value,…}; empty when it has them. */
    static Optional<String> missingLabels(PodSpec pod, Node node) {
        Map<String, String> labels = labels(node);
        List<String> missing = pod.getNodeSelector().entrySet().stream()
                .filter(wanted -> !wanted.getValue().equals(labels.get(wanted.getKey())))
                .map(wanted -> wanted.getKey() + "=" + wanted.getValue())
                .sorted()
                .toList();
        return missing.isEmpty() ? Optional.empty() : Optional.of(String.join(" ", missing));
    }

    /** Whether what the pod's affinity demands of nodes holds: one of its terms. */
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
            // An operator of a newer Kubernetes: nothing is known against the node.
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
