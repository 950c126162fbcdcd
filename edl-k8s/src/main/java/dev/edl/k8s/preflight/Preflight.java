package dev.edl.k8s.preflight;

import dev.edl.Job;
import dev.edl.k8s.preflight.internal.AdmissionPlugins;
import dev.edl.k8s.preflight.internal.ExecutorPermissions;
import dev.edl.k8s.preflight.internal.PodSet;
import dev.edl.k8s.preflight.internal.PodSets;
import dev.edl.k8s.render.Manifests;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.k8s.render.RenderException;
import dev.edl.k8s.render.Workload;
import dev.edl.k8s.render.internal.TokenSecret;
import dev.edl.plan.JobPlan;
import dev.edl.plan.PlanException;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClass;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Checks a job for everything that would keep it from running. Creates no object.
 *
 * <p>The checks cover permissions, namespace, names, quotas, queues of Kueue, limit ranges, priority classes, Pod Security, service
 * accounts, claims, secrets, runtime classes, kinds and nodes. Each object is sent to the API server as a dry run.
 *
 * <p>Quotas, limit ranges, Pod Security and nodes are compared with the pod that the API server would store. The answer
 * to the dry run is that pod. Without an answer, limit ranges, the priority class and the runtime class are applied to
 * the pod. The report then has changes by webhooks as not checked.
 *
 * <p>No fix has a command that removes a protection of nodes, of a namespace or of other users. Such a fix names the
 * responsible administrator.
 *
 * <pre>{@code
 * PreflightReport report = Preflight.of(client, job, options);
 * System.out.println(report);
 * }</pre>
 *
 * <p>If the client may not read an object, the report has its topic as not checked, which is not an error.
 * {@link SubmitterRole#preflight()} has the permissions to read everything. The checks take about 20 to 40 requests.
 * Their result holds for the moment of the check. The caller closes the client.
 */
public final class Preflight {
    private Preflight() {}

    /**
     * Checks a job for {@link dev.edl.k8s.KubernetesExecutor}.
     *
     * @throws io.fabric8.kubernetes.client.KubernetesClientException when the cluster does not answer
     */
    public static PreflightReport of(KubernetesClient client, Job job, PodOptions options) {
        try {
            return of(client, job.plan(), options);
        } catch (PlanException e) {
            return unplanned(job.name(), job.spec().namespace(), e);
        }
    }

    /**
     * Checks a planned job for {@link dev.edl.k8s.KubernetesExecutor}.
     *
     * @throws io.fabric8.kubernetes.client.KubernetesClientException when the cluster does not answer
     * @throws IllegalStateException when the job's profile leaves scaling to a module that is not on the class path
     */
    public static PreflightReport of(KubernetesClient client, JobPlan plan, PodOptions options) {
        return run(client, plan, options, List.of(), Optional.empty());
    }

    /**
     * Checks a job as {@link #of(KubernetesClient, Job, PodOptions)} does, and also that the client has the permissions
     * that node notices need.
     *
     * @throws io.fabric8.kubernetes.client.KubernetesClientException when the cluster does not answer
     */
    public static PreflightReport withNodeNotices(KubernetesClient client, Job job, PodOptions options) {
        try {
            return withNodeNotices(client, job.plan(), options);
        } catch (PlanException e) {
            return unplanned(job.name(), job.spec().namespace(), e);
        }
    }

    /**
     * Checks a planned job as {@link #of(KubernetesClient, JobPlan, PodOptions)} does, and also that the client has the
     * permissions that node notices need.
     *
     * @throws io.fabric8.kubernetes.client.KubernetesClientException when the cluster does not answer
     */
    public static PreflightReport withNodeNotices(KubernetesClient client, JobPlan plan, PodOptions options) {
        return run(client, plan, options, List.of(ExecutorPermissions.nodeNotices()), Optional.empty());
    }

    /**
     * Checks a job that an operator runs from a custom resource.
     *
     * <p>The checks cover whether the kind is served, whether the job's pods could run, and whether the API server
     * would accept the resource.
     *
     * @param plan plan of the job, in the operator's profile
     * @param resource custom resource that will be created, in the plan's namespace
     * @param rights permissions that the client needs in that namespace; no others are checked
     * @throws io.fabric8.kubernetes.client.KubernetesClientException when the cluster does not answer
     */
    public static PreflightReport of(
            KubernetesClient client,
            JobPlan plan,
            PodOptions options,
            GenericKubernetesResource resource,
            List<PolicyRule> rights) {
        return run(client, plan, options, rights, Optional.of(resource));
    }

    /**
     * Checks only that the client has every permission that {@link dev.edl.k8s.KubernetesExecutor} needs to run a
     * planned job.
     *
     * @throws io.fabric8.kubernetes.client.KubernetesClientException when the cluster does not answer
     */
    public static PreflightReport ofPermissions(KubernetesClient client, JobPlan plan, PodOptions options) {
        return run(client, plan, options, List.of(), Optional.empty(), PermissionCheck::check);
    }

    private static PreflightReport run(
            KubernetesClient client,
            JobPlan plan,
            PodOptions options,
            List<PolicyRule> more,
            Optional<GenericKubernetesResource> resource) {
        return run(client, plan, options, more, resource, Preflight::check);
    }

    private static PreflightReport run(
            KubernetesClient client,
            JobPlan plan,
            PodOptions options,
            List<PolicyRule> more,
            Optional<GenericKubernetesResource> resource,
            Consumer<CheckContext> checks) {
        List<HasMetadata> objects = new ArrayList<>();
        List<PodSet> podSets;
        try {
            Manifests.of(plan, options, Workload.PODS).objects().stream()
                    .filter(object -> !(object instanceof Pod))
                    .forEach(objects::add);
            PodTemplates pods = PodTemplates.of(plan, options);
            if (TokenSecret.isNeeded(plan, role -> pods.get(role, 0, 0))) {
                objects.add(TokenSecret.create(plan, Optional.empty(), new byte[TokenSecret.BYTES]));
            }
            podSets = PodSets.of(plan, options, objects);
        } catch (RenderException e) {
            return unplanned(plan.name(), plan.namespace(), e);
        }
        CheckContext context = new CheckContext(
                Objects.requireNonNull(client, "client"),
                plan,
                objects,
                podSets,
                new ExecutorPermissions(plan, options),
                more,
                resource,
                new ProblemCollector());
        checks.accept(context);
        return new PreflightReport(
                plan.name(), plan.namespace(), context.findings().problems());
    }

    private static void check(CheckContext context) {
        PlaintextSecretCheck.check(context);
        boolean namespace = NamespaceCheck.holds(context);
        PermissionCheck.check(context);
        KindCheck.check(context);
        List<PriorityClass> priorities = PriorityClassCheck.check(context);
        List<RuntimeClass> runtimes = RuntimeClassCheck.check(context);
        if (!namespace) {
            NodeCheck.check(context.withGroups(context.groups().stream()
                    .map(podSet -> podSet.withAdmitted(
                            new AdmissionPlugins(runtimes, priorities, List.of()).admit(podSet.pod())))
                    .toList()));
            return;
        }
        NameConflictCheck.check(context);
        QueueCheck.check(context);
        ServiceAccountCheck.check(context);
        List<LimitRange> ranges = LimitRangeCheck.read(context);
        AdmissionCheck admission = new AdmissionCheck(context);
        CheckContext admitted = admission.admitted(runtimes, priorities, ranges);
        LimitRangeCheck.check(admitted, ranges);
        QuotaCheck.check(admitted);
        PodSecurityCheck.check(admitted);
        ClaimCheck.check(context);
        ReferenceCheck.check(context);
        PullSecretCheck.check(context);
        NodeCheck.check(admitted);
        admission.report();
    }

    /**
     * Checks a planned job against the queues of a file, without a cluster: the LocalQueue that the job names, and its
     * ClusterQueue. If the file has their status, a warning reports
     * that the job would wait, and behind which Workloads.
     *
     * @param yaml LocalQueues, ClusterQueues and Workloads of Kueue, as a platform team applies them or as {@code
     *     kubectl get localqueues,clusterqueues,workloads --all-namespaces -o yaml} prints them
     * @throws IllegalArgumentException when the text is not YAML of such objects
     */
    public static PreflightReport ofQueues(String yaml, JobPlan plan, PodOptions options) {
        ProblemCollector findings = new ProblemCollector();
        try {
            QueueCheck.check(QueueSource.of(yaml), plan.namespace(), PodSets.of(plan, options, List.of()), findings);
        } catch (RenderException e) {
            return unplanned(plan.name(), plan.namespace(), e);
        }
        return new PreflightReport(plan.name(), plan.namespace(), findings.problems());
    }

    private static PreflightReport unplanned(String job, String namespace, RuntimeException refused) {
        List<Problem> problems = String.valueOf(refused.getMessage())
                .lines()
                .map(line -> new Problem(
                        Severity.ERROR,
                        ProblemTopic.PLAN,
                        "job",
                        line,
                        "the objects of the job cannot be rendered",
                        ProblemFix.of("correct the setting that the message names")))
                .toList();
        return new PreflightReport(job, namespace, problems);
    }
}
