package dev.edl.k8s.preflight;

import dev.edl.k8s.preflight.internal.FieldPaths;
import dev.edl.k8s.preflight.internal.LookupResult;
import dev.edl.k8s.preflight.internal.PodSet;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Checks that every priority class of a pod exists or is created with the job. */
final class PriorityClassCheck {
    private PriorityClassCheck() {}

    /** Returns the priority classes of the job's pods: existing classes, and classes that are created with the job. */
    static List<PriorityClass> check(CheckContext context) {
        List<PriorityClass> classes = new ArrayList<>();
        Map<String, List<PodSet>> named = new TreeMap<>();
        for (PodSet podSet : context.groups()) {
            String name = podSet.pod().getSpec().getPriorityClassName();
            if (name != null && !name.isEmpty() && !name.startsWith("system-")) {
                named.computeIfAbsent(name, n -> new ArrayList<>()).add(podSet);
            }
        }
        named.forEach((name, podSets) -> {
            if (!context.makes(PriorityClass.class, name)) {
                named(context, name, podSets).ifPresent(classes::add);
            }
        });
        context.objects().stream()
                .filter(PriorityClass.class::isInstance)
                .map(PriorityClass.class::cast)
                .forEach(made -> {
                    otherwise(context, made);
                    classes.add(made);
                });
        return classes;
    }

    /** Returns all priority classes of the cluster, the default class among them. */
    static List<PriorityClass> all(CheckContext context, List<PodSet> podSets) {
        return context.lookUp(
                        ProblemTopic.PRIORITY_CLASS,
                        FieldPaths.of(podSets, "priority"),
                        "the default PriorityClass",
                        "list priorityclasses",
                        () -> context.client()
                                .scheduling()
                                .v1()
                                .priorityClasses()
                                .list())
                .value()
                .map(PriorityClassList::getItems)
                .orElse(List.of());
    }

    private static LookupResult<PriorityClass> lookUp(CheckContext context, String name, String where) {
        return context.lookUp(
                ProblemTopic.PRIORITY_CLASS,
                where,
                "PriorityClass \"" + name + "\"",
                "get priorityclasses",
                () -> context.client()
                        .scheduling()
                        .v1()
                        .priorityClasses()
                        .withName(name)
                        .get());
    }

    private static Optional<PriorityClass> named(CheckContext context, String name, List<PodSet> podSets) {
        String where = FieldPaths.of(podSets, "priority");
        LookupResult<PriorityClass> seen = lookUp(context, name, where);
        if (seen.absent()) {
            int value = name.equals("low") ? 1000 : 1_000_000;
            context.findings()
                    .error(
                            ProblemTopic.PRIORITY_CLASS,
                            where,
                            "PriorityClass \"" + name + "\" is missing",
                            "the API server refuses pods of an unknown PriorityClass",
                            ProblemFix.of(
                                    "create it with the job:"
                                            + " PodOptions.builder().priorityClass(\"" + name + "\", " + value
                                            + "); an administrator decides whether its pods may preempt others",
                                    "kubectl create priorityclass " + name + " --value=" + value
                                            + " --preemption-policy=Never"));
            podSets.forEach(podSet -> context.findings().refused(podSet.where()));
        }
        return seen.value();
    }

    /**
     * Reports the existing priority class of the same name if it has another value than the job's. EDL does not change
     * it, because other jobs may use it.
     */
    private static void otherwise(CheckContext context, PriorityClass made) {
        String name = made.getMetadata().getName();
        String where = "PodOptions.priorityClass(\"" + name + "\")";
        lookUp(context, name, where).ifPresent(there -> {
            if (!there.getValue().equals(made.getValue())) {
                context.findings()
                        .warning(
                                ProblemTopic.PRIORITY_CLASS,
                                where,
                                "PriorityClass \"" + name + "\" has the value " + there.getValue()
                                        + ", but the options set " + made.getValue(),
                                "an existing class is not changed, because other jobs may use it",
                                ProblemFix.of("use priorityClass(\"" + name + "\", " + there.getValue()
                                        + "), or choose another name"));
            }
        });
    }
}
