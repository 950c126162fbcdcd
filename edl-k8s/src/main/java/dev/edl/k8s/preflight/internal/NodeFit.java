package dev.edl.k8s.preflight.internal;

import dev.edl.k8s.render.EffectivePodResources;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.Toleration;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Obstacles that would keep a pod off a node even if the node were empty. */
public record NodeFit(Node node, List<Obstacle> obstacles) {
    /**
     * Obstacle that keeps a pod off one node.
     *
     * @param text obstacle in words, equal for nodes with the same obstacle
     * @param advice call of a builder method that avoids the obstacle
     * @param command shell command that removes the obstacle; empty if none does
     * @param passing whether the obstacle is temporary, such as a cordon
     */
    public record Obstacle(String text, String advice, Optional<String> command, boolean passing) {}

    public static NodeFit of(Pod pod, Node node) {
        List<Obstacle> obstacles = new ArrayList<>();
        cordon(node, obstacles);
        taints(pod, node, obstacles);
        labels(pod, node, obstacles);
        amounts(pod, node, obstacles);
        return new NodeFit(node, obstacles);
    }

    public boolean fits() {
        return obstacles.isEmpty();
    }

    /** Returns whether all obstacles are temporary. */
    public boolean passes() {
        return obstacles.stream().allMatch(Obstacle::passing);
    }

    private static void cordon(Node node, List<Obstacle> obstacles) {
        if (Boolean.TRUE.equals(node.getSpec().getUnschedulable())) {
            obstacles.add(new Obstacle(
                    "cordoned",
                    "wait until it accepts pods again",
                    Optional.of("kubectl uncordon " + node.getMetadata().getName()),
                    true));
        }
    }

    private static void taints(Pod pod, Node node, List<Obstacle> obstacles) {
        for (Taint taint : node.getSpec().getTaints()) {
            boolean keepsOff =
                    taint.getEffect().equals("NoSchedule") || taint.getEffect().equals("NoExecute");
            boolean tolerated =
                    pod.getSpec().getTolerations().stream().anyMatch(toleration -> tolerates(toleration, taint));
            // The cordon's own taint was reported above.
            boolean told = taint.getKey().equals("node.kubernetes.io/unschedulable");
            if (keepsOff && !tolerated && !told) {
                String value = taint.getValue() == null || taint.getValue().isEmpty() ? "" : "=" + taint.getValue();
                boolean passing = taint.getKey().startsWith("node.kubernetes.io/");
                obstacles.add(new Obstacle(
                        "with the taint " + taint.getKey() + value + ":" + taint.getEffect(),
                        passing
                                ? "wait until the node has recovered"
                                : "set PodOptions.builder().toleration(\"" + taint.getKey() + "\", \""
                                        + taint.getEffect() + "\")",
                        passing
                                ? Optional.empty()
                                : Optional.of("kubectl taint nodes "
                                        + node.getMetadata().getName() + " " + taint.getKey() + ":" + taint.getEffect()
                                        + "-"),
                        passing));
            }
        }
    }

    private static boolean tolerates(Toleration toleration, Taint taint) {
        String key = toleration.getKey() == null ? "" : toleration.getKey();
        String effect = toleration.getEffect() == null ? "" : toleration.getEffect();
        String value = toleration.getValue() == null ? "" : toleration.getValue();
        boolean any = "Exists".equals(toleration.getOperator());
        return (effect.isEmpty() || effect.equals(taint.getEffect()))
                && (key.isEmpty() ? any : key.equals(taint.getKey()))
                && (any || value.equals(taint.getValue() == null ? "" : taint.getValue()));
    }

    private static void labels(Pod pod, Node node, List<Obstacle> obstacles) {
        NodeSelection.missingLabels(pod.getSpec(), node)
                .ifPresent(missing -> obstacles.add(new Obstacle(
                        "without the label " + missing.replace(" ", ", "),
                        "remove the nodeSelector",
                        Optional.of("kubectl label node " + node.getMetadata().getName() + " --overwrite " + missing),
                        false)));
        if (!NodeSelection.affinityHolds(pod.getSpec(), node)) {
            obstacles.add(new Obstacle("outside the affinity", "relax the affinity", Optional.empty(), false));
        }
    }

    private static void amounts(Pod pod, Node node, List<Obstacle> obstacles) {
        Map<String, BigDecimal> there = node.getStatus() == null
                ? Map.of()
                : EffectivePodResources.amounts(node.getStatus().getAllocatable());
        EffectivePodResources.requests(pod.getSpec()).forEach((resource, wanted) -> {
            BigDecimal has = there.getOrDefault(resource, BigDecimal.ZERO);
            if (wanted.compareTo(has) > 0) {
                obstacles.add(new Obstacle(
                        "with " + resource + " of " + EffectivePodResources.text(has) + " ("
                                + EffectivePodResources.text(wanted) + " requested)",
                        has.signum() == 0
                                ? "request no " + resource + ", or add a node that has it"
                                : "set request(\"" + resource + "=" + EffectivePodResources.text(has) + "\") at most",
                        Optional.empty(),
                        false));
            }
        });
    }
}
