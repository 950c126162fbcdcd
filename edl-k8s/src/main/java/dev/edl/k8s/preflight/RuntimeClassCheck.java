package dev.edl.k8s.preflight;

import dev.edl.k8s.preflight.internal.AdmissionPlugins;
import dev.edl.k8s.preflight.internal.FieldPaths;
import dev.edl.k8s.preflight.internal.LookupResult;
import dev.edl.k8s.preflight.internal.PodSet;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Checks that every runtime class of a pod exists and does not contradict the pod. */
final class RuntimeClassCheck {
    private RuntimeClassCheck() {}

    /** Returns the existing runtime classes that the job's pods name. */
    static List<RuntimeClass> check(CheckContext context) {
        Map<String, List<PodSet>> named = context.groups().stream()
                .filter(podSet -> podSet.pod().getSpec().getRuntimeClassName() != null)
                .collect(Collectors.groupingBy(
                        podSet -> podSet.pod().getSpec().getRuntimeClassName(), TreeMap::new, Collectors.toList()));
        List<RuntimeClass> classes = new ArrayList<>();
        named.forEach((name, podSets) -> check(context, name, podSets).ifPresent(classes::add));
        return classes;
    }

    private static Optional<RuntimeClass> check(CheckContext context, String name, List<PodSet> podSets) {
        String where = FieldPaths.of(podSets, "pod.runtimeClassName");
        LookupResult<RuntimeClass> seen = context.lookUp(
                ProblemTopic.RUNTIME_CLASS,
                where,
                "RuntimeClass \"" + name + "\"",
                "get runtimeclasses",
                () -> context.client()
                        .resources(RuntimeClass.class)
                        .withName(name)
                        .get());
        if (seen.absent()) {
            context.findings()
                    .error(
                            ProblemTopic.RUNTIME_CLASS,
                            where,
                            "RuntimeClass \"" + name + "\" is missing",
                            "the API server refuses pods of an unknown RuntimeClass",
                            ProblemFix.creating(
                                    "remove it from the job, or create it; its handler is the name of a runtime in"
                                            + " the nodes' containerd",
                                    "{\"apiVersion\":\"node.k8s.io/v1\",\"kind\":\"RuntimeClass\",\"metadata\":{\"name\":\""
                                            + name + "\"},\"handler\":\"" + name + "\"}"));
            podSets.forEach(podSet -> context.findings().refused(podSet.where()));
        }
        seen.ifPresent(runtimeClass -> podSets.forEach(podSet -> conflicts(context, runtimeClass, podSet)));
        return seen.value();
    }

    private static void conflicts(CheckContext context, RuntimeClass runtimeClass, PodSet podSet) {
        List<String> conflicts =
                AdmissionPlugins.conflicts(runtimeClass, podSet.pod().getSpec());
        if (!conflicts.isEmpty()) {
            context.findings()
                    .error(
                            ProblemTopic.RUNTIME_CLASS,
                            podSet.path("pod.runtimeClassName"),
                            "RuntimeClass \"" + runtimeClass.getMetadata().getName() + "\" contradicts the pods",
                            String.join("; ", conflicts),
                            ProblemFix.of("remove these fields from the job, or use another runtime class"));
            context.findings().refused(podSet.where());
        }
    }
}
