package dev.edl.k8s.preflight.internal;

import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClass;
import io.fabric8.kubernetes.api.model.node.v1.Scheduling;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Changes that the API server's admission plugins LimitRanger, Priority and RuntimeClass make to a pod.
 *
 * @param runtimeClasses runtime classes that the job's pods name
 * @param priorityClasses priority classes that the job's pods name, and the default class
 * @param limitRanges limit ranges of the job's namespace
 */
public record AdmissionPlugins(
        List<RuntimeClass> runtimeClasses, List<PriorityClass> priorityClasses, List<LimitRange> limitRanges) {
    /** Returns a changed copy of the pod. */
    public Pod admit(Pod pod) {
        Pod admitted = LimitRangeDefaults.of(limitRanges, pod);
        prioritize(admitted.getSpec());
        runtimeClass(admitted.getSpec()).ifPresent(runtimeClass -> apply(runtimeClass, admitted.getSpec()));
        return admitted;
    }

    /** Sets the priority of the pod's class. A pod that names no class gets the default class. */
    public void prioritize(PodSpec pod) {
        String name = pod.getPriorityClassName();
        Optional<PriorityClass> found = name == null || name.isEmpty()
                // With several default classes, the API server uses that of the lowest value.
                ? priorityClasses.stream()
                        .filter(priority -> Boolean.TRUE.equals(priority.getGlobalDefault()))
                        .min(Comparator.comparing(PriorityClass::getValue))
                : priorityClasses.stream()
                        .filter(priority -> priority.getMetadata().getName().equals(name))
                        .findFirst();
        found.ifPresent(priority -> {
            pod.setPriorityClassName(priority.getMetadata().getName());
            pod.setPriority(priority.getValue());
            pod.setPreemptionPolicy(priority.getPreemptionPolicy());
        });
    }

    private Optional<RuntimeClass> runtimeClass(PodSpec pod) {
        return runtimeClasses.stream()
                .filter(runtimeClass -> runtimeClass.getMetadata().getName().equals(pod.getRuntimeClassName()))
                .findFirst();
    }

    private static void apply(RuntimeClass runtimeClass, PodSpec pod) {
        Map<String, Quantity> overhead = overhead(runtimeClass);
        if (!overhead.isEmpty()) {
            pod.setOverhead(overhead);
        }
        Scheduling scheduling = runtimeClass.getScheduling();
        if (scheduling != null) {
            Map<String, String> selector = new TreeMap<>(copy(pod.getNodeSelector()));
            selector.putAll(copy(scheduling.getNodeSelector()));
            pod.setNodeSelector(selector);
            List<Toleration> tolerations = new ArrayList<>(pod.getTolerations());
            tolerations.addAll(scheduling.getTolerations());
            pod.setTolerations(tolerations);
        }
    }

    /** Returns why the API server refuses a pod of this runtime class; empty if it does not. */
    public static List<String> conflicts(RuntimeClass runtimeClass, PodSpec pod) {
        List<String> conflicts = new ArrayList<>();
        Map<String, Quantity> set = copy(pod.getOverhead());
        if (!set.isEmpty() && !set.equals(overhead(runtimeClass))) {
            conflicts.add("the pods set another overhead than the class");
        }
        Scheduling scheduling = runtimeClass.getScheduling();
        copy(scheduling == null ? null : scheduling.getNodeSelector()).forEach((key, value) -> {
            String own = copy(pod.getNodeSelector()).get(key);
            if (own != null && !Objects.equals(own, value)) {
                conflicts.add(
                        "the class selects nodes with " + key + "=" + value + ", the pods select " + key + "=" + own);
            }
        });
        return conflicts;
    }

    private static Map<String, Quantity> overhead(RuntimeClass runtimeClass) {
        return runtimeClass.getOverhead() == null
                ? Map.of()
                : copy(runtimeClass.getOverhead().getPodFixed());
    }

    private static <V> Map<String, V> copy(@Nullable Map<String, V> some) {
        return some == null ? Map.of() : new TreeMap<>(some);
    }
}
