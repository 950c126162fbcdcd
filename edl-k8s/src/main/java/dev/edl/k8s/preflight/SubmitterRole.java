package dev.edl.k8s.preflight;

import dev.edl.k8s.client.SelfAccessReview;
import dev.edl.k8s.preflight.internal.ExecutorPermissions;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.TensorBoard;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import io.fabric8.kubernetes.api.model.rbac.SubjectBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Immutable set of the minimal permissions that an account needs to run a job with
 * {@link dev.edl.k8s.KubernetesExecutor}.
 *
 * <p>It is a Role in the job's namespace, and a ClusterRole if the options create a cluster-scoped object or nodes are
 * watched. It is minimal: for each of its verbs the executor has a request that fails without it.
 *
 * <pre>{@code
 * String yaml = SubmitterRole.of(job.plan(), options)
 *     .logs()
 *     .toYaml(SubmitterRole.serviceAccount("team-a", "trainer"));   // kubectl apply -f, by an administrator
 * }</pre>
 *
 * <p>A pure function of plan, options and the providers of {@code dev.edl.k8s.spi} on the class path.
 */
public final class SubmitterRole {
    private final JobPlan plan;
    private final PodOptions options;
    private final List<PolicyRule> namespaced;
    private final List<PolicyRule> cluster;

    private SubmitterRole(JobPlan plan, PodOptions options, List<PolicyRule> namespaced, List<PolicyRule> cluster) {
        this.plan = plan;
        this.options = options;
        this.namespaced = List.copyOf(namespaced);
        this.cluster = List.copyOf(cluster);
    }

    /**
     * Returns the permissions to submit, attach, scale and delete a job whose pods have no options, and to delete its
     * replicas.
     */
    public static SubmitterRole of(JobPlan plan) {
        return of(plan, PodOptions.none());
    }

    /**
     * Returns the permissions to submit, attach, scale and delete the job and to delete its replicas.
     *
     * @throws dev.edl.k8s.render.RenderException when Kubernetes would reject one of its objects
     * @throws IllegalStateException when the job's profile leaves scaling to a module that is not on the class path
     */
    public static SubmitterRole of(JobPlan plan, PodOptions options) {
        Objects.requireNonNull(plan, "plan");
        ExecutorPermissions permissions = new ExecutorPermissions(plan, Objects.requireNonNull(options, "options"));
        return new SubmitterRole(
                plan, options, merged(permissions.namespaced(), permissions.granted()), permissions.ofCluster());
    }

    /** Adds permission to read the logs of replicas. */
    public SubmitterRole logs() {
        return with(List.of(ExecutorPermissions.rule("", "pods/log", List.of(), "get")), List.of());
    }

    /**
     * Adds permission to write Kubernetes Events about failures, which {@code kubectl describe} shows. Without this
     * permission the executor writes no Events.
     */
    public SubmitterRole events() {
        return with(List.of(ExecutorPermissions.rule("", "events", List.of(), "create", "patch")), List.of());
    }

    /** Adds permission to run commands in replicas. */
    public SubmitterRole exec() {
        return with(List.of(webSocket("pods/exec")), List.of());
    }

    /**
     * Adds permission to connect to replicas, {@link dev.edl.k8s.KubernetesRun#connect}, and to read files of the job's
     * volumes, {@link dev.edl.k8s.KubernetesRun#read(String, java.time.Duration)}.
     */
    public SubmitterRole portForward() {
        return with(List.of(webSocket("pods/portforward")), List.of());
    }

    private static PolicyRule webSocket(String resource) {
        return ExecutorPermissions.rule("", resource, List.of(), SelfAccessReview.WEB_SOCKET.toArray(String[]::new));
    }

    /**
     * Adds permission to view, through the API server's proxy, the TensorBoard that the job's Kubernetes options set.
     *
     * @throws IllegalStateException when these options set no TensorBoard
     */
    public SubmitterRole tensorBoard() {
        TensorBoard board = options.tensorBoard()
                .orElseThrow(() -> new IllegalStateException("job \"" + plan.name()
                        + "\": the options have no TensorBoard; set tensorBoard(TensorBoard.of(\"/logs\"))"));
        List<String> proxied = List.of(board.serviceName(plan) + ":" + TensorBoard.SERVICE_PORT);
        return with(List.of(ExecutorPermissions.rule("", "services/proxy", proxied, "get")), List.of());
    }

    /** Adds permission to watch nodes, for {@link dev.edl.k8s.KubernetesExecutorBuilder#nodeNotices}. */
    public SubmitterRole nodeNotices() {
        return with(List.of(), List.of(ExecutorPermissions.nodeNotices()));
    }

    /**
     * Adds permission to read the objects that {@link Preflight} checks. Secrets and other named objects are read by
     * name only.
     */
    public SubmitterRole preflight() {
        PreflightPermissions permissions = new PreflightPermissions(plan, options);
        return with(permissions.namespaced(), permissions.ofCluster());
    }

    /**
     * Adds permission to read the job's queue and its place in it, {@link dev.edl.k8s.KubernetesRun#queue}. Adds
     * nothing for a job without a queue.
     */
    public SubmitterRole queue() {
        PreflightPermissions permissions = new PreflightPermissions(plan, options);
        return with(permissions.queue(), permissions.clusterQueue());
    }

    private SubmitterRole with(List<PolicyRule> more, List<PolicyRule> moreOfCluster) {
        return new SubmitterRole(plan, options, merged(namespaced, more), merged(cluster, moreOfCluster));
    }

    /** Merges rules for the same objects, so that each verb appears once. */
    private static List<PolicyRule> merged(List<PolicyRule> rules, List<PolicyRule> more) {
        Map<PolicyRule, Set<String>> verbs = new LinkedHashMap<>();
        Stream.concat(rules.stream(), more.stream())
                .forEach(rule -> verbs.computeIfAbsent(
                                new PolicyRuleBuilder(rule).withVerbs(List.of()).build(), of -> new LinkedHashSet<>())
                        .addAll(rule.getVerbs()));
        List<PolicyRule> merged = new ArrayList<>();
        verbs.forEach((rule, all) -> merged.add(
                new PolicyRuleBuilder(rule).withVerbs(new ArrayList<>(all)).build()));
        return merged;
    }

    /** Returns a service account as the subject of the Role. */
    public static Subject serviceAccount(String namespace, String name) {
        return new SubjectBuilder()
                .withKind("ServiceAccount")
                .withNamespace(Objects.requireNonNull(namespace, "namespace"))
                .withName(Objects.requireNonNull(name, "name"))
                .build();
    }

    /** Returns a user as the subject of the Role. */
    public static Subject user(String name) {
        return new SubjectBuilder()
                .withKind("User")
                .withApiGroup("rbac.authorization.k8s.io")
                .withName(Objects.requireNonNull(name, "name"))
                .build();
    }

    /** Returns a group of users as the subject of the Role. */
    public static Subject group(String name) {
        return new SubjectBuilder()
                .withKind("Group")
                .withApiGroup("rbac.authorization.k8s.io")
                .withName(Objects.requireNonNull(name, "name"))
                .build();
    }

    /** Returns the permissions in the job's namespace. */
    public List<PolicyRule> rules() {
        return namespaced;
    }

    /** Returns the cluster-scoped permissions; mostly empty. */
    public List<PolicyRule> clusterRules() {
        return cluster;
    }

    /** Returns the Role and its binding, and a ClusterRole and its binding if there are cluster-scoped permissions. */
    public List<HasMetadata> objects(Subject subject) {
        Objects.requireNonNull(subject, "subject");
        String name = "edl-submit-" + plan.name();
        List<HasMetadata> objects = new ArrayList<>();
        objects.add(new RoleBuilder()
                .withMetadata(new ObjectMetaBuilder()
                        .withName(name)
                        .withNamespace(plan.namespace())
                        .build())
                .withRules(namespaced)
                .build());
        objects.add(new RoleBindingBuilder()
                .withMetadata(new ObjectMetaBuilder()
                        .withName(name)
                        .withNamespace(plan.namespace())
                        .build())
                .withNewRoleRef("rbac.authorization.k8s.io", "Role", name)
                .withSubjects(subject)
                .build());
        if (!cluster.isEmpty()) {
            String whole = "edl-submit-" + plan.namespace() + "-" + plan.name();
            objects.add(new ClusterRoleBuilder()
                    .withMetadata(new ObjectMetaBuilder().withName(whole).build())
                    .withRules(cluster)
                    .build());
            objects.add(new ClusterRoleBindingBuilder()
                    .withMetadata(new ObjectMetaBuilder().withName(whole).build())
                    .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", whole)
                    .withSubjects(subject)
                    .build());
        }
        return objects;
    }

    /** Returns the {@link #objects} as YAML documents, for {@code kubectl apply -f} by an administrator. */
    public String toYaml(Subject subject) {
        return objects(subject).stream().map(Serialization::asYaml).collect(Collectors.joining());
    }

    /** Returns one line per rule: {@code pods: get, list, watch, create, delete}. */
    @Override
    public String toString() {
        List<String> lines = new ArrayList<>();
        namespaced.forEach(rule -> lines.add(line(rule)));
        cluster.forEach(rule -> lines.add("(cluster) " + line(rule)));
        return String.join("\n", lines);
    }

    private static String line(PolicyRule rule) {
        String names = rule.getResourceNames().isEmpty() ? "" : " " + String.join(" ", rule.getResourceNames());
        return String.join(", ", rule.getResources()) + names + ": " + String.join(", ", rule.getVerbs());
    }
}
