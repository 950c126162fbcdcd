package dev.edl.k8s.preflight;

import dev.edl.k8s.client.KueueObjects;
import dev.edl.k8s.preflight.internal.FieldPaths;
import dev.edl.k8s.preflight.internal.LookupResult;
import dev.edl.k8s.preflight.internal.PodSet;
import dev.edl.k8s.render.EffectivePodResources;
import dev.edl.k8s.render.internal.Kueue;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Checks that the job's queue of Kueue exists, takes jobs, and can ever have the quota of the job. */
final class QueueCheck {
    static final String GROUP = Kueue.API;

    private static final String CONCEPT = "PodOptions.queue";

    /** Source of Kueue's objects: a cluster, or a file. */
    interface Source {
        /** Returns an object; a ClusterQueue has no namespace. */
        LookupResult<GenericKubernetesResource> look(String kind, Optional<String> namespace, String name);
    }

    private final Source source;
    private final List<PodSet> podSets;
    private final ProblemCollector findings;

    private QueueCheck(Source source, List<PodSet> podSets, ProblemCollector findings) {
        this.source = source;
        this.podSets = podSets;
        this.findings = findings;
    }

    static void check(CheckContext context) {
        Source cluster = (kind, namespace, name) -> context.look(
                ProblemTopic.QUEUE,
                CONCEPT,
                kind + " \"" + name + "\"",
                "get " + kind.toLowerCase(Locale.ROOT) + "s." + GROUP,
                () -> {
                    var all = context.client().genericKubernetesResources(KueueObjects.kind(kind));
                    return namespace.isPresent()
                            ? all.inNamespace(namespace.get()).withName(name).get()
                            : all.withName(name).get();
                });
        check(cluster, context.namespace(), context.groups(), context.findings());
    }

    static void check(Source source, String namespace, List<PodSet> podSets, ProblemCollector findings) {
        List<PodSet> queued =
                podSets.stream().filter(one -> queue(one).isPresent()).toList();
        name(queued).ifPresent(queue -> new QueueCheck(source, queued, findings).local(namespace, queue));
    }

    /** Returns the queue of the job's pods; empty when they have none. */
    static Optional<String> name(List<PodSet> podSets) {
        return podSets.stream().flatMap(one -> queue(one).stream()).findFirst();
    }

    private static Optional<String> queue(PodSet podSet) {
        return Optional.ofNullable(podSet.pod().getMetadata().getLabels()).map(labels -> labels.get(Kueue.QUEUE));
    }

    /**
     * Returns the queues of a file.
     *
     * @throws IllegalArgumentException when the text is no YAML of Kubernetes objects
     */
    static Source queues(String yaml) {
        List<HasMetadata> objects = new ArrayList<>();
        try {
            Object read = new KubernetesSerialization().unmarshal(yaml);
            (read instanceof Collection<?> several ? several : List.of(read))
                    .forEach(one -> objects.add((HasMetadata) one));
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "queues must be YAML of LocalQueues and ClusterQueues of " + GROUP + "/v1beta2, was \""
                            + yaml.lines().findFirst().orElse("") + "\": " + e.getMessage(),
                    e);
        }
        return (kind, namespace, name) -> LookupResult.of(objects.stream()
                .filter(one -> one.getKind().equals(kind)
                        && one.getApiVersion().startsWith(GROUP + "/")
                        && one.getMetadata().getName().equals(name)
                        && namespace
                                .filter(in -> !in.equals(one.getMetadata().getNamespace()))
                                .isEmpty())
                .map(one -> (GenericKubernetesResource) one)
                .findFirst());
    }

    private void local(String namespace, String queue) {
        LookupResult<GenericKubernetesResource> local = source.look("LocalQueue", Optional.of(namespace), queue);
        if (local.absent()) {
            error(
                    "LocalQueue \"" + queue + "\" of namespace \"" + namespace + "\" is missing",
                    "Kueue admits no pod of an unknown queue",
                    "name an existing queue, or have it created by the queues' administrator",
                    "kubectl --namespace " + namespace + " get localqueues");
        }
        local.ifPresent(found -> {
            stopped("LocalQueue", queue, found);
            @Nullable Object named = found.get("spec", "clusterQueue");
            String cluster = String.valueOf(named);
            LookupResult<GenericKubernetesResource> all = source.look("ClusterQueue", Optional.empty(), cluster);
            if (all.absent()) {
                error(
                        "ClusterQueue \"" + cluster + "\" of LocalQueue \"" + queue + "\" is missing",
                        "a LocalQueue has no quota of its own",
                        "have it created by the queues' administrator",
                        "kubectl get clusterqueues");
            }
            all.ifPresent(there -> {
                stopped("ClusterQueue", cluster, there);
                quota(cluster, there);
            });
        });
    }

    private void stopped(String kind, String name, GenericKubernetesResource queue) {
        KueueObjects.stopPolicy(queue)
                .ifPresent(policy -> error(
                        kind + " \"" + name + "\" is stopped: its stopPolicy is " + policy,
                        "Kueue admits none of its pods until an administrator starts it again",
                        "name another queue, or ask the queues' administrator",
                        "kubectl get " + kind.toLowerCase(Locale.ROOT) + "s --all-namespaces"));
    }

    /** Compares what the job requests with all that its queue may ever have. */
    private void quota(String name, GenericKubernetesResource queue) {
        Map<String, BigDecimal> most = new LinkedHashMap<>();
        boolean cohort = queue.get("spec", "cohortName") != null || queue.get("spec", "cohort") != null;
        list(queue.get("spec", "resourceGroups")).stream()
                .flatMap(group -> list(group.get("flavors")).stream())
                .flatMap(flavor -> list(flavor.get("resources")).stream())
                .forEach(resource ->
                        most.merge(String.valueOf(resource.get("name")), limit(resource, cohort), BigDecimal::add));
        List<String> uncovered = new ArrayList<>();
        List<String> never = new ArrayList<>();
        List<String> later = new ArrayList<>();
        Map<String, BigDecimal> whole = requests(PodSet::start);
        requests(PodSet::least).forEach((resource, least) -> {
            Optional<BigDecimal> limit = Optional.ofNullable(most.get(resource));
            BigDecimal all = whole.getOrDefault(resource, least);
            if (limit.isEmpty()) {
                uncovered.add(resource);
            } else if (least.compareTo(limit.get()) > 0) {
                never.add(lack(resource, least, limit.get()));
            } else if (all.compareTo(limit.get()) > 0) {
                later.add(lack(resource, all, limit.get()));
            }
        });
        if (!uncovered.isEmpty()) {
            error(
                    "ClusterQueue \"" + name + "\" has no quota of " + String.join(", ", uncovered),
                    "Kueue never admits a pod that requests a resource without quota",
                    "request only " + String.join(", ", most.keySet()) + ", or ask the queues' administrator",
                    "kubectl get clusterqueue " + name + " -o yaml");
        }
        if (!never.isEmpty()) {
            error(
                    "ClusterQueue \"" + name + "\" never has enough quota: " + String.join("; ", never),
                    "Kueue never admits the job",
                    "request less, use fewer replicas, or ask the queues' administrator",
                    "kubectl get clusterqueue " + name + " -o yaml");
        } else if (uncovered.isEmpty()) {
            flavors(name, queue, cohort);
        }
        if (never.isEmpty() && !later.isEmpty()) {
            findings.warning(
                    ProblemTopic.QUEUE,
                    FieldPaths.of(podSets, "replicas"),
                    "ClusterQueue \"" + name + "\" never has quota for all replicas: " + String.join("; ", later),
                    "the job runs with the minimum of its elastic roles and more; further replicas wait",
                    ProblemFix.of("use fewer replicas, or ask the queues' administrator"));
        }
    }

    /** Compares the pods that a role always has with each flavor, since Kueue gives all of them the same one. */
    private void flavors(String name, GenericKubernetesResource queue, boolean cohort) {
        for (PodSet podSet : podSets) {
            BigDecimal pods = BigDecimal.valueOf(Math.max(1, podSet.least()));
            Map<String, BigDecimal> requests =
                    EffectivePodResources.requests(podSet.admitted().getSpec());
            for (Map<String, Object> group : list(queue.get("spec", "resourceGroups"))) {
                List<String> lacks = new ArrayList<>();
                for (Map<String, Object> flavor : list(group.get("flavors"))) {
                    list(flavor.get("resources")).stream()
                            .filter(resource ->
                                    requests.getOrDefault(String.valueOf(resource.get("name")), BigDecimal.ZERO)
                                                    .multiply(pods)
                                                    .compareTo(limit(resource, cohort))
                                            > 0)
                            .findFirst()
                            .ifPresent(resource -> lacks.add("flavor " + flavor.get("name") + " has at most "
                                    + EffectivePodResources.text(limit(resource, cohort)) + " "
                                    + resource.get("name")));
                }
                if (!lacks.isEmpty()
                        && lacks.size() == list(group.get("flavors")).size()) {
                    error(
                            "ClusterQueue \"" + name + "\" has no flavor for " + pods + " x " + podSet.where() + ": "
                                    + String.join("; ", lacks),
                            "Kueue admits the pods that a role always has together, with one flavor",
                            "request less, use fewer replicas, or ask the queues' administrator",
                            "kubectl get clusterqueue " + name + " -o yaml");
                }
            }
        }
    }

    private static String lack(String resource, BigDecimal needed, BigDecimal most) {
        return resource + ": at most " + EffectivePodResources.text(most) + ", the job needs "
                + EffectivePodResources.text(needed);
    }

    /** Returns the most that a queue may use of a flavour's resource; one of a cohort may borrow without a limit. */
    private static BigDecimal limit(Map<String, Object> resource, boolean cohort) {
        BigDecimal own = amount(resource.get("nominalQuota"));
        if (!cohort) {
            return own;
        }
        @Nullable Object borrowing = resource.get("borrowingLimit");
        return borrowing == null ? BigDecimal.valueOf(Long.MAX_VALUE) : own.add(amount(borrowing));
    }

    private static BigDecimal amount(@Nullable Object quantity) {
        return quantity == null ? BigDecimal.ZERO : new Quantity(String.valueOf(quantity)).getNumericalAmount();
    }

    private Map<String, BigDecimal> requests(ToIntFunction<PodSet> number) {
        Map<String, BigDecimal> requests = new TreeMap<>();
        podSets.forEach(podSet -> EffectivePodResources.requests(
                        podSet.admitted().getSpec())
                .forEach((resource, amount) -> requests.merge(
                        resource, amount.multiply(BigDecimal.valueOf(number.applyAsInt(podSet))), BigDecimal::add)));
        return requests;
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(@Nullable Object list) {
        return list == null ? List.of() : (List<Map<String, Object>>) list;
    }

    private void error(String what, String why, String fix, String command) {
        findings.error(ProblemTopic.QUEUE, CONCEPT, what, why, ProblemFix.of(fix, command));
    }
}
