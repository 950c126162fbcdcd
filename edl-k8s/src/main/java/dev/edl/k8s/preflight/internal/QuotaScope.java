package dev.edl.k8s.preflight.internal;

import dev.edl.k8s.render.EffectivePodResources;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ScopedResourceSelectorRequirement;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Decides which pods a ResourceQuota counts. */
public final class QuotaScope {
    private QuotaScope() {}

    /** Returns whether the quota is scoped: it counts only some pods, and no other objects. */
    public static boolean isScoped(ResourceQuota quota) {
        return !requirements(quota).isEmpty();
    }

    public static boolean counts(ResourceQuota quota, Pod pod) {
        return requirements(quota).stream().allMatch(requirement -> holds(requirement, pod));
    }

    private static List<ScopedResourceSelectorRequirement> requirements(ResourceQuota quota) {
        List<ScopedResourceSelectorRequirement> all = new ArrayList<>();
        quota.getSpec()
                .getScopes()
                .forEach(scope -> all.add(new ScopedResourceSelectorRequirement("Exists", scope, List.of())));
        if (quota.getSpec().getScopeSelector() != null) {
            all.addAll(quota.getSpec().getScopeSelector().getMatchExpressions());
        }
        return all;
    }

    private static boolean holds(ScopedResourceSelectorRequirement requirement, Pod pod) {
        boolean bestEffort = isBestEffort(pod);
        boolean terminating = pod.getSpec().getActiveDeadlineSeconds() != null;
        return switch (requirement.getScopeName()) {
            case "BestEffort" -> bestEffort;
            case "NotBestEffort" -> !bestEffort;
            case "Terminating" -> terminating;
            case "NotTerminating" -> !terminating;
            case "PriorityClass" -> priority(requirement, pod.getSpec().getPriorityClassName());
            // Scope of pods with cross-namespace affinity, which EDL itself never creates.
            default -> false;
        };
    }

    /** Returns whether no container requests or limits cpu or memory. Devices and overhead do not count. */
    private static boolean isBestEffort(Pod pod) {
        return EffectivePodResources.containers(pod.getSpec())
                .flatMap(container ->
                        Stream.of(EffectivePodResources.requests(container), EffectivePodResources.limits(container)))
                .allMatch(amounts -> Stream.of("cpu", "memory")
                        .allMatch(resource ->
                                amounts.getOrDefault(resource, BigDecimal.ZERO).signum() == 0));
    }

    private static boolean priority(ScopedResourceSelectorRequirement requirement, String name) {
        boolean given = name != null && !name.isEmpty();
        return switch (requirement.getOperator()) {
            case "Exists" -> given;
            case "DoesNotExist" -> !given;
            case "In" -> given && requirement.getValues().contains(name);
            default -> !given || !requirement.getValues().contains(name);
        };
    }
}
