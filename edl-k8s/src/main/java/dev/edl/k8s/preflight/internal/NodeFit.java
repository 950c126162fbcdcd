package dev.edl.k8s.preflight.internal;

import dev.edl.k8s.render.EffectivePodResources;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.Toleration;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Obstacles that would keep a pod off a node even if the node were empty. */
public record NodeFit(Node node, List<Obstacle> obstacles) {
    /**
     * Obstacle that keeps a pod off one node.
     *
     * @param text obstacle in words, equal for nodes with the same obstacle
     * @param advice change of the job that avoids the obstacle, or the administrator's part
     * @param passing whether the obstacle is temporary, such as a cordon
     * @param own whether a change of the job is enough
     */
    public record Obstacle(String text, String advice, boolean passing, boolean own) {}

    /**
     * Compares a pod with a node.
     *
     * @param sent the pod as the job sends it
     * @param pod the same pod after the API server's admission
     */
    public static NodeFit of(Pod sent, Pod pod, Node node) {
        List<Obstacle> obstacles = new ArrayList<>();
        cordon(node, obstacles);
        taints(pod, node, obstacles);
        labels(sent, pod, node, obstacles);
        amounts(sent, pod, node, obstacles);
        return new NodeFit(node, obstacles);
    }

    public boolean fits() {
        return obstacles.isEmpty();
    }

    /** Returns whether all obstacles are temporary. */
    public boolean passes() {
        return obstacles.stream().allMatch(Obstacle::passing);
    }

    /** Returns whether changes of the job alone remove all obstacles. */
    public boolean isOwn() {
        return obstacles.stream().allMatch(Obstacle::own);
    }

    private static void cordon(Node node, List<Obstacle> obstacles) {
        if (Boolean.TRUE.equals(node.getSpec().getUnschedulable())) {
            obstacles.add(new Obstacle("cordoned", "wait until the node's administrator ends the cordon", true, false));
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
                TaintAdvice advice = TaintAdvice.of(taint, pod, node);
                obstacles.add(new Obstacle(
                        "with the taint " + taint.getKey() + value + ":" + taint.getEffect(),
                        advice.text(),
                        advice.temporary(),
                        advice.byJob()));
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

    private static void labels(Pod sent, Pod pod, Node node, List<Obstacle> obstacles) {
        Map<String, String> own = sent.getSpec().getNodeSelector();
        NodeSelection.missingLabels(pod.getSpec(), node).forEach((key, value) -> {
            boolean isOwn = value.equals(own.get(key));
            obstacles.add(new Obstacle(
                    "without the label " + key + "=" + value,
                    isOwn
                            ? "remove the nodeSelector"
                            : "use another runtime class or namespace, because the API server adds the nodeSelector "
                                    + key + "=" + value,
                    false,
                    isOwn));
        });
        if (!NodeSelection.affinityHolds(pod.getSpec(), node)) {
            boolean isOwn = !NodeSelection.affinityHolds(sent.getSpec(), node);
            obstacles.add(new Obstacle(
                    "outside the affinity",
                    isOwn
                            ? "relax the affinity"
                            : "use another namespace, because a webhook of the cluster adds the affinity",
                    false,
                    isOwn));
        }
    }

    private static void amounts(Pod sent, Pod pod, Node node, List<Obstacle> obstacles) {
        Map<String, BigDecimal> there = node.getStatus() == null
                ? Map.of()
                : EffectivePodResources.amounts(node.getStatus().getAllocatable());
        Map<String, BigDecimal> added = added(sent, pod);
        EffectivePodResources.requests(pod.getSpec()).forEach((resource, wanted) -> {
            BigDecimal has = there.getOrDefault(resource, BigDecimal.ZERO);
            if (wanted.compareTo(has) > 0) {
                BigDecimal more = added.getOrDefault(resource, BigDecimal.ZERO);
                BigDecimal room = has.subtract(more);
                obstacles.add(new Obstacle(
                        "with " + resource + " of " + EffectivePodResources.text(has) + " ("
                                + EffectivePodResources.text(wanted) + " requested"
                                + (more.signum() > 0
                                        ? ", of which the API server adds " + EffectivePodResources.text(more)
                                        : "")
                                + ")",
                        room.signum() > 0
                                ? "set request(\"" + resource + "=" + EffectivePodResources.text(room) + "\") at most"
                                : has.signum() == 0 && more.signum() == 0
                                        ? "request no " + resource + ", or add a node that has it"
                                        : "add a node with more " + resource,
                        false,
                        room.signum() > 0 || more.signum() == 0));
            }
        });
    }

    /** Returns the requests of a pod that do not depend on the job: overhead, and added containers that stay. */
    private static Map<String, BigDecimal> added(Pod sent, Pod pod) {
        Set<String> own = EffectivePodResources.containers(sent.getSpec())
                .map(Container::getName)
                .collect(Collectors.toSet());
        PodSpec spec = pod.getSpec();
        return EffectivePodResources.requests(new PodSpecBuilder(spec)
                .withContainers(others(spec.getContainers(), own))
                // An init container that ends adds nothing: a pod requests the larger of it and its containers.
                .withInitContainers(others(spec.getInitContainers(), own).stream()
                        .filter(init -> "Always".equals(init.getRestartPolicy()))
                        .toList())
                .build());
    }

    private static List<Container> others(List<Container> containers, Set<String> own) {
        return containers.stream()
                .filter(container -> !own.contains(container.getName()))
                .toList();
    }
}
