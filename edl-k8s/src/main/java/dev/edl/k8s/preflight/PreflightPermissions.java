package dev.edl.k8s.preflight;

import dev.edl.k8s.preflight.internal.ExecutorPermissions;
import dev.edl.k8s.preflight.internal.PodReferences;
import dev.edl.k8s.preflight.internal.PodSet;
import dev.edl.k8s.preflight.internal.PodSets;
import dev.edl.k8s.render.Manifests;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.Workload;
import dev.edl.k8s.render.internal.TokenSecret;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Lists the permissions that preflight itself needs, restricted to object names where the names are known. */
final class PreflightPermissions {
    private static final String LOCAL_QUEUES = QueueCheck.GROUP + "/localqueues";

    private final JobPlan plan;
    private final ExecutorPermissions permissions;
    private final Map<String, Set<String>> names = new TreeMap<>();
    private final Map<String, Set<String>> cluster = new TreeMap<>();

    /** Whether a pod without a priority class gets the cluster's default, which only a list of all classes shows. */
    private boolean defaultPriority;

    PreflightPermissions(JobPlan plan, PodOptions options) {
        this.plan = plan;
        this.permissions = new ExecutorPermissions(plan, options);
        List<HasMetadata> objects = Manifests.of(plan, options, Workload.PODS).objects();
        List<PodSet> podSets = PodSets.of(plan, options, objects);
        podSets.forEach(podSet -> pod(podSet.pod().getSpec()));
        QueueCheck.name(podSets).ifPresent(queue -> add(names, LOCAL_QUEUES, List.of(queue)));
        permissions.made(true).forEach((resource, made) -> add(names, resource, made));
        permissions.made(false).forEach((resource, made) -> add(cluster, resource, made));
    }

    private static PolicyRule workloads() {
        return ExecutorPermissions.rule(QueueCheck.GROUP, "workloads", List.of(), "list");
    }

    private boolean queued() {
        return names.containsKey(LOCAL_QUEUES);
    }

    /** Returns the permissions to read the job's LocalQueue and the Workloads of its namespace. */
    List<PolicyRule> queue() {
        return queued()
                ? List.of(
                        ExecutorPermissions.rule(
                                QueueCheck.GROUP, "localqueues", List.copyOf(names.get(LOCAL_QUEUES)), "get"),
                        workloads())
                : List.of();
    }

    /** Returns the permission to read the ClusterQueue, which the LocalQueue names. */
    List<PolicyRule> clusterQueue() {
        return queued()
                ? List.of(ExecutorPermissions.rule(QueueCheck.GROUP, "clusterqueues", List.of(), "get"))
                : List.of();
    }

    private void pod(PodSpec pod) {
        String account = pod.getServiceAccountName();
        add(names, "/serviceaccounts", List.of(account == null || account.isEmpty() ? "default" : account));
        PodReferences.of(pod).stream()
                .filter(reference -> !reference.name().equals(TokenSecret.name(plan)))
                .forEach(reference -> add(
                        names,
                        reference.kind().equals("Secret") ? "/secrets" : "/configmaps",
                        List.of(reference.name())));
        add(
                names,
                "/secrets",
                pod.getImagePullSecrets().stream()
                        .map(LocalObjectReference::getName)
                        .toList());
        for (Volume volume : pod.getVolumes()) {
            if (volume.getPersistentVolumeClaim() != null) {
                add(
                        names,
                        "/persistentvolumeclaims",
                        List.of(volume.getPersistentVolumeClaim().getClaimName()));
            }
        }
        String priority = pod.getPriorityClassName();
        if (priority == null || priority.isEmpty()) {
            defaultPriority = true;
        } else {
            add(cluster, "scheduling.k8s.io/priorityclasses", List.of(priority));
        }
        if (pod.getRuntimeClassName() != null) {
            add(cluster, "node.k8s.io/runtimeclasses", List.of(pod.getRuntimeClassName()));
        }
    }

    private static void add(Map<String, Set<String>> to, String resource, List<String> names) {
        if (!names.isEmpty()) {
            to.computeIfAbsent(resource, key -> new TreeSet<>()).addAll(names);
        }
    }

    List<PolicyRule> namespaced() {
        List<PolicyRule> rules = new ArrayList<>();
        rules.add(ExecutorPermissions.rule("", "namespaces", List.of(plan.namespace()), "get"));
        rules.add(ExecutorPermissions.rule("", "resourcequotas", List.of(), "list"));
        rules.add(ExecutorPermissions.rule("", "limitranges", List.of(), "list"));
        names.forEach((resource, of) -> rules.add(ExecutorPermissions.rule(
                ExecutorPermissions.group(resource),
                ExecutorPermissions.plural(resource),
                new ArrayList<>(of),
                "get")));
        if (queued()) {
            rules.add(workloads());
        }
        return rules;
    }

    List<PolicyRule> ofCluster() {
        List<PolicyRule> rules = new ArrayList<>();
        rules.add(ExecutorPermissions.rule("", "nodes", List.of(), "list"));
        // In kube-system: shows whether an autoscaler adds nodes when none fits.
        rules.add(ExecutorPermissions.rule("", "configmaps", List.of(NodeCheck.AUTOSCALER), "get"));
        if (names.containsKey("/persistentvolumeclaims")) {
            rules.add(ExecutorPermissions.rule("storage.k8s.io", "storageclasses", List.of(), "get"));
        }
        rules.addAll(clusterQueue());
        if (defaultPriority) {
            rules.add(ExecutorPermissions.rule("scheduling.k8s.io", "priorityclasses", List.of(), "list"));
        }
        cluster.forEach((resource, of) -> rules.add(ExecutorPermissions.rule(
                ExecutorPermissions.group(resource),
                ExecutorPermissions.plural(resource),
                new ArrayList<>(of),
                "get")));
        return rules;
    }
}
