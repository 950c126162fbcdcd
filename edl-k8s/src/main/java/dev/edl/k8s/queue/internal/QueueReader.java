package dev.edl.k8s.queue.internal;

import dev.edl.k8s.client.KueueObjects;
import dev.edl.k8s.queue.JobQueue;
import dev.edl.k8s.queue.JobQueue.Admission;
import dev.edl.k8s.render.internal.KueueMetadata;
import dev.edl.plan.JobPlan;
import dev.edl.status.ObservedReplica;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads a job's queue and its Workloads. An object that the client may not read is a problem of the result. */
public final class QueueReader {
    private final KubernetesClient client;
    private final String namespace;
    private final String queue;
    private final List<String> problems = new ArrayList<>();

    private QueueReader(KubernetesClient client, String namespace, String queue) {
        this.client = client;
        this.namespace = namespace;
        this.queue = queue;
    }

    /**
     * Returns the queue of a job. Sends no request for a job without one.
     *
     * @param pods pods of the job
     * @param replicas the replicas of these pods
     */
    public static Optional<JobQueue> read(
            KubernetesClient client, JobPlan plan, Collection<Pod> pods, Collection<ObservedReplica> replicas) {
        return pods.stream()
                .flatMap(
                        pod -> Optional.ofNullable(pod.getMetadata().getLabels())
                                .map(labels -> labels.get(KueueMetadata.QUEUE))
                                .stream())
                .findFirst()
                .or(() -> KueueMetadata.labelled(plan))
                .map(queue -> new QueueReader(client, plan.namespace(), queue).read(names(replicas)));
    }

    /** Returns the short names of replicas by uid, {@code worker-2} before {@code worker-10}. */
    private static Map<String, String> names(Collection<ObservedReplica> replicas) {
        Map<String, String> names = new LinkedHashMap<>();
        replicas.stream()
                .sorted(Comparator.comparing((ObservedReplica one) -> one.role().id())
                        .thenComparing(ObservedReplica::id))
                .forEach(one ->
                        one.uid().ifPresent(uid -> names.put(uid, one.role().replica(one.id()))));
        return names;
    }

    private JobQueue read(Map<String, String> names) {
        Optional<GenericKubernetesResource> local = queue("LocalQueue", queue);
        Optional<String> cluster = local.map(one -> text(one, "spec", "clusterQueue"));
        cluster.ifPresent(name -> queue("ClusterQueue", name));
        List<GenericKubernetesResource> workloads = read(
                        "list workloads",
                        () -> client.genericKubernetesResources(KueueObjects.kind("Workload"))
                                .inNamespace(namespace)
                                .list()
                                .getItems())
                .orElse(List.of());
        return new JobQueue(queue, cluster, problems, admissions(names, workloads));
    }

    /** Reads a queue, and notes if it is missing or stopped. */
    private Optional<GenericKubernetesResource> queue(String kind, String name) {
        return read("get " + kind.toLowerCase(Locale.ROOT) + "s", () -> {
                    var all = client.genericKubernetesResources(KueueObjects.kind(kind));
                    return Optional.ofNullable(
                            kind.equals("LocalQueue")
                                    ? all.inNamespace(namespace).withName(name).get()
                                    : all.withName(name).get());
                })
                .flatMap(found -> {
                    if (found.isEmpty()) {
                        problems.add(kind + " \"" + name + "\" is missing");
                    }
                    found.flatMap(KueueObjects::stopPolicy)
                            .ifPresent(policy ->
                                    problems.add(kind + " \"" + name + "\" is stopped: its stopPolicy is " + policy));
                    return found;
                });
    }

    private <T> Optional<T> read(String what, Supplier<T> read) {
        try {
            return Optional.of(read.get());
        } catch (KubernetesClientException e) {
            problems.add("cannot " + what + "." + KueueMetadata.API + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    private List<Admission> admissions(Map<String, String> names, List<GenericKubernetesResource> workloads) {
        List<GenericKubernetesResource> waiting = KueueObjects.waiting(workloads, queue);
        List<Admission> admissions = new ArrayList<>();
        for (GenericKubernetesResource workload : workloads) {
            Set<String> owners = workload.getMetadata().getOwnerReferences().stream()
                    .map(OwnerReference::getUid)
                    .collect(Collectors.toSet());
            List<String> replicas = names.entrySet().stream()
                    .filter(one -> owners.contains(one.getKey()))
                    .map(Map.Entry::getValue)
                    .toList();
            if (!replicas.isEmpty() && !KueueObjects.is(workload, "Finished")) {
                int index = waiting.indexOf(workload);
                admissions.add(new Admission(
                        replicas,
                        index < 0 ? OptionalInt.empty() : OptionalInt.of(index + 1),
                        waiting.size(),
                        index < 0 ? "" : missing(workload),
                        flavors(workload)));
            }
        }
        List<String> order = List.copyOf(names.values());
        admissions.sort(Comparator.comparing(one -> order.indexOf(one.replicas().get(0))));
        return admissions;
    }

    private static String missing(GenericKubernetesResource workload) {
        return KueueObjects.conditions(workload).stream()
                .filter(one -> "QuotaReserved".equals(one.get("type")) && "False".equals(one.get("status")))
                .map(one -> String.valueOf(one.get("message")))
                .findFirst()
                .orElse("");
    }

    /** Returns the resources of each flavor that the pod sets of an admitted Workload got. */
    private static SortedMap<String, SortedSet<String>> flavors(GenericKubernetesResource workload) {
        SortedMap<String, SortedSet<String>> flavors = new TreeMap<>();
        @Nullable List<Map<String, Object>> podSets = workload.get("status", "admission", "podSetAssignments");
        for (Map<String, Object> podSet : podSets == null ? List.<Map<String, Object>>of() : podSets) {
            if (podSet.get("flavors") instanceof Map<?, ?> own) {
                own.forEach((resource, flavor) -> flavors.computeIfAbsent(String.valueOf(flavor), of -> new TreeSet<>())
                        .add(String.valueOf(resource)));
            }
        }
        return flavors;
    }

    private static String text(GenericKubernetesResource object, Object... path) {
        @Nullable Object text = object.get(path);
        return String.valueOf(text);
    }
}
