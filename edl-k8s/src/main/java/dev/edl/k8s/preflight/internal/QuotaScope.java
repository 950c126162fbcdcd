package dev.edl.k8s.preflight.internal;

import dev.edl.k8s.render.EffectivePodResources;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ScopedResourceSelectorRequirement;
import java.util.ArrayList;
import java.util.List;

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
        boolean bestEffort = EffectivePodResources.requests(pod.getSpec()).isEmpty()
                && EffectivePodResources.limits(pod.getSpec()).isEmpty();
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
