package dev.edl.k8s.preflight;

import dev.edl.k8s.preflight.internal.FieldPaths;
import dev.edl.k8s.preflight.internal.LookupResult;
import dev.edl.k8s.preflight.internal.PodSet;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Checks that every priority class of a pod exists or is created with the job. */
final class PriorityClassCheck {
    private PriorityClassCheck() {}

    static void check(CheckContext context) {
        Map<String, List<PodSet>> named = new TreeMap<>();
        for (PodSet podSet : context.groups()) {
            String name = podSet.pod().getSpec().getPriorityClassName();
            if (name != null && !name.isEmpty() && !name.startsWith("system-")) {
                named.computeIfAbsent(name, n -> new ArrayList<>()).add(podSet);
            }
        }
        named.forEach((name, podSets) -> {
            if (!context.makes(PriorityClass.class, name)) {
                missing(context, name, podSets);
            }
        });
        context.objects().stream()
                .filter(PriorityClass.class::isInstance)
                .map(PriorityClass.class::cast)
                .forEach(made -> otherwise(context, made));
    }

    private static LookupResult<PriorityClass> look(CheckContext context, String name, String where) {
        return context.look(
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

    private static void missing(CheckContext context, String name, List<PodSet> podSets) {
        String where = FieldPaths.of(podSets, "priority");
        if (look(context, name, where).absent()) {
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
                                            + ")",
                                    "kubectl create priorityclass " + name + " --value=" + value));
            podSets.forEach(podSet -> context.findings().refused(podSet.where()));
        }
    }

    /**
     * Reports the existing priority class of the same name if it has another value than the job's. EDL does not change
     * it, because other jobs may use it.
     */
    private static void otherwise(CheckContext context, PriorityClass made) {
        String name = made.getMetadata().getName();
        String where = "PodOptions.priorityClass(\"" + name + "\")";
        look(context, name, where).ifPresent(there -> {
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
