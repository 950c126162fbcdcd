package dev.edl.k8s.preflight;

import dev.edl.k8s.preflight.internal.FieldPaths;
import dev.edl.k8s.preflight.internal.PodSet;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClass;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Checks that every runtime class of a pod exists. */
final class RuntimeClassCheck {
    private RuntimeClassCheck() {}

    static void check(CheckContext context) {
        Map<String, List<PodSet>> named = context.groups().stream()
                .filter(podSet -> podSet.pod().getSpec().getRuntimeClassName() != null)
                .collect(Collectors.groupingBy(
                        podSet -> podSet.pod().getSpec().getRuntimeClassName(), TreeMap::new, Collectors.toList()));
        named.forEach((name, podSets) -> check(context, name, podSets));
    }

    private static void check(CheckContext context, String name, List<PodSet> podSets) {
        String where = FieldPaths.of(podSets, "pod.runtimeClassName");
        boolean absent = context.look(
                        ProblemTopic.RUNTIME_CLASS,
                        where,
                        "RuntimeClass \"" + name + "\"",
                        "get runtimeclasses",
                        () -> context.client()
                                .resources(RuntimeClass.class)
                                .withName(name)
                                .get())
                .absent();
        if (absent) {
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
    }
}
