package dev.edl.k8s.preflight;

import dev.edl.k8s.preflight.internal.LookupResult;
import dev.edl.k8s.preflight.internal.ResourcePlurals;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.PodList;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** Checks that no existing object has a name that the job uses. */
final class NameConflictCheck {
    /** Number of pods per list request. */
    private static final long PAGE = 500;

    private static final String WHY = "a namespace has only one object of a kind and name";

    /** Has no command that deletes the object, because it may belong to another user. */
    private static final ProblemFix OTHER_NAME =
            ProblemFix.of("give the job another name; delete the object only if nothing else uses it");

    private NameConflictCheck() {}

    static void check(CheckContext context) {
        if (context.delegated().isPresent()) {
            resource(context, context.delegated().get());
            return;
        }
        String at = "(\"" + context.namespace() + "\", \"" + context.plan().name() + "\")";
        String record = "edl-job-" + context.plan().name();
        LookupResult<ConfigMap> seen = context.lookUp(
                ProblemTopic.NAME,
                "name",
                "ConfigMap \"" + record + "\"",
                "get configmaps",
                () -> context.client()
                        .configMaps()
                        .inNamespace(context.namespace())
                        .withName(record)
                        .get());
        if (seen.value().isPresent()) {
            // Further existing objects belong to that job.
            taken(
                    context,
                    "job \"" + context.plan().name() + "\" exists already, "
                            + phase(seen.value().get()),
                    ProblemFix.of("give this job another name; if the job is yours, resume it with attach" + at
                            + " or remove it with delete" + at));
            context.groups().forEach(podSet -> context.findings().refused(podSet.where()));
            context.objects()
                    .forEach(object -> context.findings()
                            .refused(object.getKind() + "/"
                                    + object.getMetadata().getName()));
            return;
        }
        context.objects().stream()
                .filter(object -> object.getMetadata().getNamespace() != null)
                .filter(object -> !(object instanceof GenericKubernetesResource))
                .forEach(object -> object(context, object));
        pods(context);
    }

    private static String phase(ConfigMap record) {
        Map<String, String> data = record.getData() == null ? Map.of() : record.getData();
        return "in phase " + data.getOrDefault("phase", "unknown");
    }

    private static void object(CheckContext context, HasMetadata object) {
        String what = object.getKind() + " \"" + object.getMetadata().getName() + "\"";
        LookupResult<HasMetadata> seen = context.lookUp(
                ProblemTopic.NAME,
                "name",
                what,
                "get " + ResourcePlurals.of(object),
                () -> context.client().resource(object).get());
        if (seen.value().isPresent()) {
            taken(context, what + " exists already", OTHER_NAME);
            context.findings()
                    .refused(object.getKind() + "/" + object.getMetadata().getName());
        }
    }

    private static void pods(CheckContext context) {
        Set<String> names = names(context);
        List<String> taken = new ArrayList<>();
        String next = null;
        do {
            String from = next;
            LookupResult<PodList> page = context.lookUp(
                    ProblemTopic.NAME,
                    "name",
                    "names of pods",
                    "list pods",
                    () -> context.client()
                            .pods()
                            .inNamespace(context.namespace())
                            .list(new ListOptionsBuilder()
                                    .withLimit(PAGE)
                                    .withContinue(from)
                                    .build()));
            page.ifPresent(list -> list.getItems().stream()
                    .map(pod -> pod.getMetadata().getName())
                    .filter(names::contains)
                    .forEach(taken::add));
            next = page.value().map(list -> list.getMetadata().getContinue()).orElse(null);
        } while (next != null && !next.isEmpty());
        if (!taken.isEmpty()) {
            taken(
                    context,
                    (taken.size() == 1 ? "pod " : taken.size() + " pods, such as ") + "\"" + taken.get(0) + "\" "
                            + (taken.size() == 1 ? "exists" : "exist") + " already",
                    OTHER_NAME);
            context.groups().stream()
                    .filter(podSet -> taken.contains(podSet.pod().getMetadata().getName()))
                    .forEach(podSet -> context.findings().refused(podSet.where()));
        }
    }

    /** Returns the names of the pods that the job starts with, and of the pods that scaling may add. */
    private static Set<String> names(CheckContext context) {
        Set<String> names = new HashSet<>();
        context.plan()
                .roles()
                .forEach(role -> IntStream.range(0, role.bounds().max())
                        .mapToObj(id -> context.plan().replicaName(role.type(), id))
                        .forEach(names::add));
        return names;
    }

    private static void resource(CheckContext context, GenericKubernetesResource object) {
        if (context.findings().isRefused(object.getKind())) {
            // A kind that is not served has no objects.
            return;
        }
        String what = object.getKind() + " \"" + object.getMetadata().getName() + "\"";
        LookupResult<GenericKubernetesResource> seen = context.lookUp(
                ProblemTopic.NAME,
                "name",
                what,
                "get " + object.getKind(),
                () -> context.client()
                        .resource(object)
                        .inNamespace(context.namespace())
                        .get());
        if (seen.value().isPresent()) {
            taken(context, what + " exists already", OTHER_NAME);
            context.findings().refused(object.getKind());
        }
    }

    private static void taken(CheckContext context, String what, ProblemFix fix) {
        context.findings().error(ProblemTopic.NAME, "name", what, WHY, fix);
    }
}
