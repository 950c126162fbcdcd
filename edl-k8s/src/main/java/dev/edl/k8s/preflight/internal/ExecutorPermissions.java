package dev.edl.k8s.preflight.internal;

import dev.edl.k8s.render.Manifests;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.k8s.render.Workload;
import dev.edl.k8s.render.internal.KueueMetadata;
import dev.edl.k8s.render.internal.TokenSecret;
import dev.edl.k8s.spi.WorkerScalingProvider;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Lists the verbs that {@link dev.edl.k8s.KubernetesExecutor} uses to run a job. Preflight checks these permissions and
 * {@link dev.edl.k8s.preflight.SubmitterRole} grants them, so both agree.
 */
public final class ExecutorPermissions {
    private final JobPlan plan;
    private final PodOptions options;
    private final List<HasMetadata> objects;

    public ExecutorPermissions(JobPlan plan, PodOptions options) {
        this.plan = plan;
        this.options = options;
        this.objects = Manifests.of(plan, options, Workload.PODS).objects().stream()
                .filter(object -> !object.getKind().equals("Pod"))
                .toList();
    }

    /** Returns the permissions in the job's namespace. */
    public List<PolicyRule> namespaced() {
        List<PolicyRule> rules = new ArrayList<>();
        rules.add(rule("", "configmaps", List.of(), "create"));
        rules.add(rule("", "configmaps", List.of(record()), "get", "update", "delete"));
        PodTemplates pods = PodTemplates.of(plan, options);
        rules.add(rule("", "pods", List.of(), "get", "list", "watch", "create", "delete"));
        if (KueueMetadata.hasGroup(plan, role -> pods.get(role, 0, 0))) {
            rules.add(rule("", "pods", List.of(), "patch"));
        }
        made(true).forEach((resource, names) -> {
            PolicyRule rule = rule(group(resource), plural(resource), List.of(), "create");
            // The rule for ConfigMaps already exists for the record.
            if (!rules.contains(rule)) {
                rules.add(rule);
            }
        });
        if (TokenSecret.isNeeded(plan, role -> pods.get(role, 0, 0))) {
            rules.add(rule("", "secrets", List.of(), "create"));
        }
        rules.addAll(WorkerScalingProvider.of(plan).permissions(plan, options));
        return rules;
    }

    /** Returns the cluster-scoped permissions. */
    public List<PolicyRule> ofCluster() {
        return made(false).keySet().stream()
                .map(resource -> rule(group(resource), plural(resource), List.of(), "create"))
                .toList();
    }

    /** Returns the cluster-scoped permission to watch nodes. */
    public static PolicyRule nodeNotices() {
        return rule("", "nodes", List.of(), "list", "watch");
    }

    /**
     * Returns the permissions of the Roles that are created for the job's pods. Kubernetes lets an account grant only
     * permissions that it has, unless it may {@code escalate} and {@code bind}.
     */
    public List<PolicyRule> granted() {
        return objects.stream()
                .filter(Role.class::isInstance)
                .flatMap(role -> ((Role) role).getRules().stream())
                .distinct()
                .toList();
    }

    /** Returns the names of the objects that the executor creates, by {@code group/plural}. */
    public Map<String, List<String>> made(boolean namespaced) {
        Map<String, List<String>> made = new TreeMap<>();
        objects.stream()
                .filter(object -> (object.getMetadata().getNamespace() != null) == namespaced)
                .forEach(object -> made.computeIfAbsent(resource(object), resource -> new ArrayList<>())
                        .add(object.getMetadata().getName()));
        return made;
    }

    String record() {
        return "edl-job-" + plan.name();
    }

    private static String resource(HasMetadata object) {
        String version = object.getApiVersion();
        return (version.contains("/") ? version.substring(0, version.indexOf('/')) : "") + "/"
                + ResourcePlurals.of(object);
    }

    public static String group(String resource) {
        return resource.substring(0, resource.indexOf('/'));
    }

    public static String plural(String resource) {
        return resource.substring(resource.indexOf('/') + 1);
    }

    public static PolicyRule rule(String group, String resource, List<String> names, String... verbs) {
        return new PolicyRuleBuilder()
                .withApiGroups(group)
                .withResources(resource)
                .withResourceNames(names)
                .withVerbs(verbs)
                .build();
    }
}
