package dev.edl.k8s.client;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Objects of Kueue, as a client finds them. */
public final class KueueObjects {
    private KueueObjects() {}

    /**
     * Returns how a client finds a kind of Kueue's objects, without a request.
     *
     * @param kind {@code LocalQueue}, {@code ClusterQueue} or {@code Workload}
     */
    public static ResourceDefinitionContext kind(String kind) {
        return new ResourceDefinitionContext.Builder()
                .withGroup("kueue.x-k8s.io")
                .withVersion("v1beta2")
                .withKind(kind)
                .withPlural(kind.toLowerCase(Locale.ROOT) + "s")
                .withNamespaced(!kind.equals("ClusterQueue"))
                .build();
    }

    /** Returns why a LocalQueue or ClusterQueue admits nothing, {@code Hold} or {@code HoldAndDrain}; mostly empty. */
    public static Optional<String> stopPolicy(GenericKubernetesResource queue) {
        @Nullable Object policy = queue.get("spec", "stopPolicy");
        return Optional.ofNullable(policy).map(String::valueOf).filter(one -> !one.equals("None"));
    }

    /**
     * Returns the Workloads that wait for quota in a LocalQueue, the next first.
     *
     * @param workloads Workloads of the LocalQueue's namespace
     */
    public static List<GenericKubernetesResource> waiting(
            Collection<GenericKubernetesResource> workloads, String queue) {
        return workloads.stream()
                .filter(one ->
                        queue.equals(one.get("spec", "queueName")) && !is(one, "QuotaReserved") && !is(one, "Finished"))
                .sorted(Comparator.comparing(KueueObjects::priority)
                        .reversed()
                        .thenComparing(
                                one -> one.getMetadata().getCreationTimestamp(),
                                Comparator.nullsLast(Comparator.naturalOrder()))
                        .thenComparing(one -> one.getMetadata().getName()))
                .toList();
    }

    /** Returns whether a condition of a Workload is true, {@code QuotaReserved} or {@code Finished}. */
    public static boolean is(GenericKubernetesResource workload, String condition) {
        return conditions(workload).stream()
                .anyMatch(one -> condition.equals(one.get("type")) && "True".equals(one.get("status")));
    }

    /** Returns the conditions of a Workload. */
    public static List<Map<String, Object>> conditions(GenericKubernetesResource workload) {
        @Nullable List<Map<String, Object>> conditions = workload.get("status", "conditions");
        return conditions == null ? List.of() : conditions;
    }

    private static int priority(GenericKubernetesResource workload) {
        @Nullable Object priority = workload.get("spec", "priority");
        return priority instanceof Number number ? number.intValue() : 0;
    }
}
