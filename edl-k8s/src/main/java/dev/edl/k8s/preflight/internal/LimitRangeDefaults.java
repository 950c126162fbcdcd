package dev.edl.k8s.preflight.internal;

import dev.edl.k8s.render.EffectivePodResources;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.LimitRangeItem;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Applies the defaults of a namespace's LimitRanges to containers without their own values, as the API server does. */
public final class LimitRangeDefaults {
    private LimitRangeDefaults() {}

    public static Pod of(List<LimitRange> ranges, Pod pod) {
        Pod copy = new PodBuilder(pod).build();
        for (LimitRange range : ranges) {
            for (LimitRangeItem item : range.getSpec().getLimits()) {
                if ("Container".equals(item.getType())) {
                    EffectivePodResources.containers(copy.getSpec()).forEach(container -> give(container, item));
                }
            }
        }
        return copy;
    }

    private static void give(Container container, LimitRangeItem item) {
        ResourceRequirements said =
                container.getResources() == null ? new ResourceRequirements() : container.getResources();
        Map<String, Quantity> limits = copy(said.getLimits());
        Map<String, Quantity> requests = copy(said.getRequests());
        // A container with its own limit requests that, not the range's default.
        limits.forEach(requests::putIfAbsent);
        copy(item.getDefault()).forEach(limits::putIfAbsent);
        copy(item.getDefaultRequest()).forEach(requests::putIfAbsent);
        container.setResources(new ResourceRequirementsBuilder(said)
                .withLimits(limits)
                .withRequests(requests)
                .build());
    }

    private static Map<String, Quantity> copy(@Nullable Map<String, Quantity> amounts) {
        return amounts == null ? new TreeMap<>() : new TreeMap<>(amounts);
    }
}
