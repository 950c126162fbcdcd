package dev.edl.k8s.preflight;

import dev.edl.k8s.client.KueueObjects;
import dev.edl.k8s.preflight.internal.FieldPaths;
import dev.edl.k8s.preflight.internal.LookupResult;
import dev.edl.k8s.preflight.internal.PodSet;
import dev.edl.k8s.preflight.internal.QueueQuota;
import dev.edl.k8s.render.EffectivePodResources;
import dev.edl.k8s.render.internal.KueueMetadata;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Checks that the job's queue of Kueue exists, takes jobs, and can ever have the quota of the job. */
final class QueueCheck {
    static final String GROUP = KueueMetadata.API;

    static final String CONCEPT = "PodOptions.queue";

    private final QueueSource source;
    private final List<PodSet> podSets;
    private final ProblemCollector findings;

    private QueueCheck(QueueSource source, List<PodSet> podSets, ProblemCollector findings) {
        this.source = source;
        this.podSets = podSets;
        this.findings = findings;
    }

    static void check(CheckContext context) {
        check(QueueSource.of(context), context.namespace(), context.groups(), context.findings());
    }

    static void check(QueueSource source, String namespace, List<PodSet> podSets, ProblemCollector findings) {
        List<PodSet> queued =
                podSets.stream().filter(one -> queue(one).isPresent()).toList();
        name(queued).ifPresent(queue -> new QueueCheck(source, queued, findings).local(namespace, queue));
    }

    /** Returns the queue of the job's pods; empty when they have none. */
    static Optional<String> name(List<PodSet> podSets) {
        return podSets.stream().flatMap(one -> queue(one).stream()).findFirst();
    }

    private static Optional<String> queue(PodSet podSet) {
        return Optional.ofNullable(podSet.pod().getMetadata().getLabels())
                .map(labels -> labels.get(KueueMetadata.QUEUE));
    }

    private void local(String namespace, String queue) {
        LookupResult<GenericKubernetesResource> local = source.lookUp("LocalQueue", Optional.of(namespace), queue);
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
            LookupResult<GenericKubernetesResource> all = source.lookUp("ClusterQueue", Optional.empty(), cluster);
            if (all.absent()) {
                error(
                        "ClusterQueue \"" + cluster + "\" of LocalQueue \"" + queue + "\" is missing",
                        "a LocalQueue has no quota of its own",
                        "have it created by the queues' administrator",
                        "kubectl get clusterqueues");
            }
            all.ifPresent(there -> {
                stopped("ClusterQueue", cluster, there);
                if (quota(cluster, there)) {
                    checkCapacity(namespace, queue, cluster, there);
                }
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

    /** Compares what the job requests with all that its queue may ever have. Returns whether it can be admitted. */
    private boolean quota(String name, GenericKubernetesResource queue) {
        QueueQuota most = QueueQuota.most(queue);
        Map<String, BigDecimal> total = most.total();
        List<String> uncovered = requests(PodSet::least).keySet().stream()
                .filter(resource -> !total.containsKey(resource))
                .toList();
        List<String> never = most.lacks(requests(PodSet::least));
        List<String> later = most.lacks(requests(PodSet::start));
        List<String> noFlavor = never.isEmpty() && uncovered.isEmpty() ? noFlavor(most) : List.of();
        if (!uncovered.isEmpty()) {
            error(
                    "ClusterQueue \"" + name + "\" has no quota of " + String.join(", ", uncovered),
                    "Kueue never admits a pod that requests a resource without quota",
                    "request only " + String.join(", ", total.keySet()) + ", or ask the queues' administrator",
                    "kubectl get clusterqueue " + name + " -o yaml");
        }
        if (!never.isEmpty()) {
            error(
                    "ClusterQueue \"" + name + "\" never has enough quota: " + String.join("; ", never),
                    "Kueue never admits the job",
                    "request less, use fewer replicas, or ask the queues' administrator",
                    "kubectl get clusterqueue " + name + " -o yaml");
        } else if (!later.isEmpty()) {
            findings.warning(
                    ProblemTopic.QUEUE,
                    FieldPaths.of(podSets, "replicas"),
                    "ClusterQueue \"" + name + "\" never has quota for all replicas: " + String.join("; ", later),
                    "the job runs with the minimum of its elastic roles and more; further replicas wait",
                    ProblemFix.of("use fewer replicas, or ask the queues' administrator"));
        }
        noFlavor.forEach(lack -> error(
                "ClusterQueue \"" + name + "\" has no flavor for " + lack,
                "Kueue admits the pods that a role always has together, with one flavor",
                "request less, use fewer replicas, or ask the queues' administrator",
                "kubectl get clusterqueue " + name + " -o yaml"));
        return uncovered.isEmpty() && never.isEmpty() && noFlavor.isEmpty();
    }

    /** Compares what the job requests with what its queue has now, and names the Workloads that wait before it. */
    private void checkCapacity(String namespace, String local, String name, GenericKubernetesResource queue) {
        QueueQuota free = QueueQuota.free(queue);
        List<String> lacks = new ArrayList<>(free.lacks(requests(PodSet::least)));
        if (lacks.isEmpty()) {
            lacks.addAll(noFlavor(free));
        }
        if (lacks.isEmpty() && !"StrictFIFO".equals(queue.get("spec", "queueingStrategy"))) {
            return;
        }
        List<String> own = KueueObjects.waiting(source.workloads(namespace), local).stream()
                .map(one -> one.getMetadata().getName())
                .toList();
        @Nullable Object count = queue.get("status", "pendingWorkloads");
        // Kueue counts a new Workload in the queue's status only some time after it was created.
        int pending = Math.max(count instanceof Number number ? number.intValue() : 0, own.size());
        if (pending > 0) {
            lacks.add((pending == 1 ? "1 Workload waits" : pending + " Workloads wait") + " in it"
                    + (own.isEmpty() ? "" : ", of queue \"" + local + "\" " + String.join(", ", own)));
        }
        if (lacks.isEmpty()) {
            return;
        }
        findings.warning(
                ProblemTopic.QUEUE,
                CONCEPT,
                "ClusterQueue \"" + name + "\" has no room now: " + String.join("; ", lacks),
                "the job waits until others give quota back, unless its priority takes quota from them",
                ProblemFix.of(
                        "submit the job and let it wait, or use another queue",
                        "kubectl --namespace " + namespace + " get workloads"));
    }

    /** Returns the pods for which no flavor has room: Kueue gives all pods that a role always has the same flavor. */
    private List<String> noFlavor(QueueQuota quota) {
        return podSets.stream()
                .flatMap(podSet -> {
                    int pods = Math.max(1, podSet.least());
                    Map<String, BigDecimal> requests = new TreeMap<>();
                    add(requests, podSet, pods);
                    return quota.noFlavor(requests).map(lack -> pods + " x " + podSet.where() + ": " + lack).stream();
                })
                .toList();
    }

    private Map<String, BigDecimal> requests(ToIntFunction<PodSet> number) {
        Map<String, BigDecimal> requests = new TreeMap<>();
        podSets.forEach(podSet -> add(requests, podSet, number.applyAsInt(podSet)));
        return requests;
    }

    private static void add(Map<String, BigDecimal> requests, PodSet podSet, int pods) {
        EffectivePodResources.requests(podSet.admitted().getSpec())
                .forEach((resource, amount) ->
                        requests.merge(resource, amount.multiply(BigDecimal.valueOf(pods)), BigDecimal::add));
    }

    private void error(String what, String why, String fix, String command) {
        findings.error(ProblemTopic.QUEUE, CONCEPT, what, why, ProblemFix.of(fix, command));
    }
}
