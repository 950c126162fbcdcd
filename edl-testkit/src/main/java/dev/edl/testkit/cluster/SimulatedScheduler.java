package dev.edl.testkit.cluster;

import dev.edl.spec.Resources;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Places the pods of a simulated cluster by kube-scheduler's rules for resources and priority. Pure.
 *
 * <ul>
 *   <li>The pod with the highest priority is placed first, then the oldest.
 *   <li>The pod gets the node with the most free resources (LeastAllocated).
 *   <li>If no node has room, as many pods of lower priority as necessary are preempted, on the node where their
 *       priorities are lowest (DefaultPreemption).
 * </ul>
 */
final class SimulatedScheduler {
    private final SortedMap<String, Resources> nodes;
    private final int cordoned;
    private final List<SimulatedPod> pods;

    /**
     * Creates a snapshot of the cluster.
     *
     * @param nodes allocatable resources by name of the node
     * @param cordoned names of the nodes that accept no new pods
     * @param pods all pods of the cluster
     */
    SimulatedScheduler(Map<String, Resources> nodes, Set<String> cordoned, Collection<SimulatedPod> pods) {
        this.nodes = new TreeMap<>(nodes);
        this.nodes.keySet().removeAll(cordoned);
        this.cordoned = cordoned.size();
        this.pods = List.copyOf(pods);
    }

    /** Returns the pods that wait for a node, in scheduling order. */
    static List<SimulatedPod> queue(Collection<SimulatedPod> pods) {
        return pods.stream()
                .filter(SimulatedPod::waitsForRoom)
                .sorted(Comparator.comparingInt((SimulatedPod pod) -> -pod.priority)
                        .thenComparingLong(pod -> pod.number))
                .toList();
    }

    /** Returns the node that has room for a pod and would have the most free resources left; empty if none has room. */
    Optional<String> node(SimulatedPod pod) {
        return nodes.keySet().stream()
                .filter(node -> missing(pod, node, taken(node, pod)).isEmpty())
                .max(Comparator.comparing((String node) -> left(pod, node)).thenComparing(Comparator.reverseOrder()));
    }

    private BigDecimal left(SimulatedPod pod, String node) {
        BigDecimal sum = BigDecimal.ZERO;
        int named = 0;
        for (String name : room(node).amounts().keySet()) {
            BigDecimal all = room(node).value(name);
            if (all.signum() > 0) {
                BigDecimal free = all.subtract(sum(taken(node, pod), name)).subtract(pod.requests.value(name));
                sum = sum.add(free.divide(all, MathContext.DECIMAL64));
                named++;
            }
        }
        return named == 0 ? BigDecimal.ZERO : sum.divide(BigDecimal.valueOf(named), MathContext.DECIMAL64);
    }

    private Resources room(String node) {
        return nodes.getOrDefault(node, Resources.of());
    }

    /**
     * Returns the pods whose requests count on a node before those of {@code before}. They are the pods on the node,
     * and the pods of the same or higher priority for which preemption makes room there.
     */
    private List<SimulatedPod> taken(String node, SimulatedPod before) {
        return pods.stream()
                .filter(pod -> pod != before)
                .filter(pod -> (pod.takesRoom() && node.equals(pod.node))
                        || (pod.waitsForRoom() && node.equals(pod.nominated) && pod.priority >= before.priority))
                .toList();
    }

    private static BigDecimal sum(List<SimulatedPod> of, String resource) {
        return of.stream().map(pod -> pod.requests.value(resource)).reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    /** Returns the resources that a node would lack with a pod in addition to those in {@code taken}. */
    private List<String> missing(SimulatedPod pod, String node, List<SimulatedPod> taken) {
        return pod.requests.amounts().keySet().stream()
                .filter(name -> pod.requests.value(name).signum() > 0)
                .filter(name -> sum(taken, name)
                                .add(pod.requests.value(name))
                                .compareTo(room(node).value(name))
                        > 0)
                .toList();
    }

    /**
     * Returns why no node has room for a pod, in kube-scheduler's words:
     * {@code 0/3 nodes are available: 3 Insufficient cpu.}
     */
    String why(SimulatedPod pod) {
        Map<String, Integer> reasons = new TreeMap<>();
        nodes.keySet()
                .forEach(node -> missing(pod, node, taken(node, pod))
                        .forEach(name -> reasons.merge("Insufficient " + name, 1, Integer::sum)));
        if (cordoned > 0) {
            reasons.put("node(s) were unschedulable", cordoned);
        }
        return "0/" + (nodes.size() + cordoned) + " nodes are available"
                + (reasons.isEmpty()
                        ? "."
                        : reasons.entrySet().stream()
                                .map(reason -> reason.getValue() + " " + reason.getKey())
                                .collect(Collectors.joining(", ", ": ", ".")));
    }

    /** Node on which preemption makes room for a pod, and the pods that are preempted for it. */
    record Preemption(String node, List<SimulatedPod> victims) {}

    /**
     * Returns the smallest preemption that makes room for a pod; empty when none does, or when one for this pod is in
     * progress.
     */
    Optional<Preemption> preemption(SimulatedPod pod) {
        String nominated = pod.nominated;
        if (nominated != null
                && pods.stream()
                        .anyMatch(other ->
                                other.leaving() && nominated.equals(other.node) && other.priority < pod.priority)) {
            return Optional.empty();
        }
        Map<String, List<SimulatedPod>> victims = new LinkedHashMap<>();
        nodes.keySet().forEach(node -> victims(pod, node).ifPresent(all -> victims.put(node, all)));
        return victims.entrySet().stream()
                .min(Comparator.comparingInt((Map.Entry<String, List<SimulatedPod>> one) -> highest(one.getValue()))
                        .thenComparingLong(one -> one.getValue().stream()
                                .mapToLong(v -> v.priority)
                                .sum())
                        .thenComparingInt(one -> one.getValue().size())
                        .thenComparing(Map.Entry::getKey))
                .map(one -> new Preemption(one.getKey(), one.getValue()));
    }

    private static int highest(List<SimulatedPod> victims) {
        return victims.stream().mapToInt(pod -> pod.priority).max().orElse(Integer.MIN_VALUE);
    }

    /**
     * Returns the pods to evict from a node for a pod. They have a lower priority. Keeps the pods that fit together
     * with the new pod, the highest and oldest first. Empty if the node has no such pod, or no room even without them.
     */
    private Optional<List<SimulatedPod>> victims(SimulatedPod pod, String node) {
        List<SimulatedPod> stay = new ArrayList<>(taken(node, pod));
        List<SimulatedPod> lower = stay.stream()
                .filter(other -> other.priority < pod.priority && other.takesRoom())
                .sorted(Comparator.comparingInt((SimulatedPod other) -> -other.priority)
                        .thenComparingLong(other -> other.number))
                .toList();
        stay.removeAll(lower);
        if (lower.isEmpty() || !missing(pod, node, stay).isEmpty()) {
            return Optional.empty();
        }
        List<SimulatedPod> victims = new ArrayList<>();
        for (SimulatedPod other : lower) {
            stay.add(other);
            if (!missing(pod, node, stay).isEmpty()) {
                stay.remove(other);
                victims.add(other);
            }
        }
        return Optional.of(victims);
    }
}
