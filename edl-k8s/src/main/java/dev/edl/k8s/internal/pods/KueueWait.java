package dev.edl.k8s.internal.pods;

import dev.edl.k8s.client.KueueObjects;
import dev.edl.k8s.render.internal.Kueue;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads from Kueue's Workloads why a pod waits in its queue. */
public final class KueueWait {
    private KueueWait() {}

    /** Returns whether a pod waits for Kueue to admit it. */
    static boolean gated(Pod pod) {
        return pod.getSpec() != null
                && PodMapper.list(pod.getSpec().getSchedulingGates()).stream()
                        .anyMatch(gate -> "kueue.x-k8s.io/admission".equals(gate.getName()));
    }

    /** Returns the first part of the reason, which the pod alone has. */
    static String queue(Pod pod) {
        return "it waits for Kueue to admit it from queue \""
                + pod.getMetadata().getLabels().getOrDefault(Kueue.QUEUE, "") + "\"";
    }

    /**
     * Returns the place of a pod's Workload in the queue, among those of its namespace, and what it lacks.
     *
     * @return empty when Kueue does not hold the pod, has no Workload for it yet, or the client may not list Workloads
     */
    public static Optional<String> of(KubernetesClient client, Pod pod) {
        if (!gated(pod)) {
            return Optional.empty();
        }
        try {
            return of(
                    pod,
                    client.genericKubernetesResources(KueueObjects.kind("Workload"))
                            .inNamespace(pod.getMetadata().getNamespace())
                            .list()
                            .getItems());
        } catch (KubernetesClientException e) {
            // Without the permission, or the kind, the pod's own reason remains.
            return Optional.empty();
        }
    }

    static Optional<String> of(Pod pod, List<GenericKubernetesResource> workloads) {
        return workloads.stream()
                .filter(one -> one.getMetadata().getOwnerReferences().stream()
                        .anyMatch(
                                owner -> owner.getUid().equals(pod.getMetadata().getUid())))
                .findFirst()
                .map(own -> queue(pod) + place(own, workloads) + lack(own));
    }

    private static String place(GenericKubernetesResource own, List<GenericKubernetesResource> all) {
        List<GenericKubernetesResource> waiting = all.stream()
                .filter(one -> queueOf(one).equals(queueOf(own)) && !is(one, "QuotaReserved") && !is(one, "Finished"))
                .sorted(Comparator.comparing(KueueWait::priority)
                        .reversed()
                        .thenComparing(one -> one.getMetadata().getCreationTimestamp())
                        .thenComparing(one -> one.getMetadata().getName()))
                .toList();
        int index = waiting.indexOf(own);
        return index < 0
                ? ""
                : ", in which it is number " + (index + 1) + " of " + waiting.size() + " of its namespace";
    }

    private static String lack(GenericKubernetesResource workload) {
        return conditions(workload).stream()
                .filter(one -> "QuotaReserved".equals(one.get("type")) && "False".equals(one.get("status")))
                .map(one -> ": " + one.get("message"))
                .findFirst()
                .orElse("");
    }

    private static boolean is(GenericKubernetesResource workload, String type) {
        return conditions(workload).stream()
                .anyMatch(one -> type.equals(one.get("type")) && "True".equals(one.get("status")));
    }

    private static List<Map<String, Object>> conditions(GenericKubernetesResource workload) {
        @Nullable List<Map<String, Object>> conditions = workload.get("status", "conditions");
        return conditions == null ? List.of() : conditions;
    }

    private static String queueOf(GenericKubernetesResource workload) {
        @Nullable Object name = workload.get("spec", "queueName");
        return String.valueOf(name);
    }

    private static int priority(GenericKubernetesResource workload) {
        @Nullable Object priority = workload.get("spec", "priority");
        return priority instanceof Number number ? number.intValue() : 0;
    }
}
