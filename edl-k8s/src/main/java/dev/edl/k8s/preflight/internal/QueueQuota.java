package dev.edl.k8s.preflight.internal;

import dev.edl.k8s.render.EffectivePodResources;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Quota of a ClusterQueue of Kueue, by its groups of resources, their flavors and resources. */
public final class QueueQuota {
    private final String before;
    private final String after;
    private final List<List<Flavor>> groups = new ArrayList<>();

    private record Flavor(String name, Map<String, BigDecimal> amounts) {}

    private QueueQuota(
            String before,
            String after,
            GenericKubernetesResource queue,
            Map<String, Map<String, BigDecimal>> reserved) {
        this.before = before;
        this.after = after;
        boolean cohort = queue.get("spec", "cohortName") != null || queue.get("spec", "cohort") != null;
        for (Map<String, Object> group : list(queue.get("spec", "resourceGroups"))) {
            List<Flavor> flavors = new ArrayList<>();
            for (Map<String, Object> flavor : list(group.get("flavors"))) {
                String name = String.valueOf(flavor.get("name"));
                Map<String, BigDecimal> amounts = new LinkedHashMap<>();
                list(flavor.get("resources")).forEach(resource -> {
                    String key = String.valueOf(resource.get("name"));
                    BigDecimal taken = reserved.getOrDefault(name, Map.of()).getOrDefault(key, BigDecimal.ZERO);
                    amounts.put(key, limit(resource, cohort).subtract(taken).max(BigDecimal.ZERO));
                });
                flavors.add(new Flavor(name, amounts));
            }
            groups.add(flavors);
        }
    }

    /** Returns the most that a queue may ever use. A queue of a cohort may borrow, up to its limit if it has one. */
    public static QueueQuota most(GenericKubernetesResource clusterQueue) {
        return new QueueQuota("at most ", "", clusterQueue, Map.of());
    }

    /** Returns the part of {@link #most} that no Workload has reserved, by the status of the queue. */
    public static QueueQuota free(GenericKubernetesResource clusterQueue) {
        Map<String, Map<String, BigDecimal>> reserved = new LinkedHashMap<>();
        list(clusterQueue.get("status", "flavorsReservation"))
                .forEach(flavor -> list(flavor.get("resources"))
                        .forEach(resource -> reserved.computeIfAbsent(
                                        String.valueOf(flavor.get("name")), of -> new LinkedHashMap<>())
                                .put(String.valueOf(resource.get("name")), amount(resource.get("total")))));
        return new QueueQuota("", " free", clusterQueue, reserved);
    }

    /** Returns the amounts of all flavors together, by resource. */
    public Map<String, BigDecimal> total() {
        Map<String, BigDecimal> total = new LinkedHashMap<>();
        groups.forEach(group -> group.forEach(flavor ->
                flavor.amounts().forEach((resource, amount) -> total.merge(resource, amount, BigDecimal::add))));
        return total;
    }

    /**
     * Returns for each resource with too little quota how much of it is missing.
     *
     * @param requests amounts by resource; resources without quota are left out
     */
    public List<String> lacks(Map<String, BigDecimal> requests) {
        Map<String, BigDecimal> total = total();
        return requests.entrySet().stream()
                .filter(one -> one.getValue().compareTo(total.getOrDefault(one.getKey(), one.getValue())) > 0)
                .map(one -> one.getKey() + ": " + before
                        + EffectivePodResources.text(total.getOrDefault(one.getKey(), BigDecimal.ZERO)) + after
                        + ", the job needs " + EffectivePodResources.text(one.getValue()))
                .toList();
    }

    /** Returns why no flavor of a group of resources has room for pods that need the same flavor; empty if one has. */
    public Optional<String> noFlavor(Map<String, BigDecimal> requests) {
        return groups.stream()
                .map(group ->
                        group.stream().map(flavor -> lacking(flavor, requests)).toList())
                .filter(lacks -> !lacks.isEmpty() && lacks.stream().allMatch(Optional::isPresent))
                .map(lacks -> String.join(
                        "; ", lacks.stream().map(Optional::orElseThrow).toList()))
                .findFirst();
    }

    private Optional<String> lacking(Flavor flavor, Map<String, BigDecimal> requests) {
        return flavor.amounts().entrySet().stream()
                .filter(one ->
                        requests.getOrDefault(one.getKey(), BigDecimal.ZERO).compareTo(one.getValue()) > 0)
                .findFirst()
                .map(one -> "flavor " + flavor.name() + " has " + before + EffectivePodResources.text(one.getValue())
                        + " " + one.getKey() + after);
    }

    private static BigDecimal limit(Map<String, Object> resource, boolean cohort) {
        BigDecimal own = amount(resource.get("nominalQuota"));
        if (!cohort) {
            return own;
        }
        @Nullable Object borrowing = resource.get("borrowingLimit");
        return borrowing == null ? BigDecimal.valueOf(Long.MAX_VALUE) : own.add(amount(borrowing));
    }

    private static BigDecimal amount(@Nullable Object quantity) {
        return quantity == null ? BigDecimal.ZERO : new Quantity(String.valueOf(quantity)).getNumericalAmount();
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(@Nullable Object list) {
        return list == null ? List.of() : (List<Map<String, Object>>) list;
    }
}
