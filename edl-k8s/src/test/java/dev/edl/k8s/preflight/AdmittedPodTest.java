package dev.edl.k8s.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.k8s.MockCluster;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.PodSecurity;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.spec.Priority;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.LimitRangeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.ScopedResourceSelectorRequirement;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClassBuilder;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks of nodes, quotas and policies use the pod after admission. The mock replaces the API server's plugins. */
@MockCluster
class AdmittedPodTest {
    private static final Predicate<String> NO_PODS =
            review -> !review.contains("\"pods\"") || !review.contains("create");

    private static final Toleration SANDBOX = new Toleration(null, "sandbox", "Exists", null, null);

    // The extension sets them.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    private Predicate<String> allowed = review -> true;

    @BeforeEach
    void a_cluster() {
        TeamCluster.create(client, server, review -> allowed.test(review));
    }

    private static JobBuilder job(String request) {
        return Job.named("mnist")
                .namespace("team")
                .image("x")
                .request(request)
                .tensorflow()
                .workers(1);
    }

    private static PodOptions kata() {
        return PodOptions.builder()
                .pod(pod -> pod.edit()
                        .editSpec()
                        .withRuntimeClassName("kata")
                        .endSpec()
                        .build())
                .build();
    }

    /** Creates a RuntimeClass of sandboxes: an overhead of half a core, on labelled and tainted nodes. */
    private void runtimeClass() {
        client.resource(new RuntimeClassBuilder()
                        .withNewMetadata()
                        .withName("kata")
                        .endMetadata()
                        .withHandler("kata")
                        .withNewOverhead()
                        .addToPodFixed("cpu", new Quantity("500m"))
                        .endOverhead()
                        .withNewScheduling()
                        .addToNodeSelector("runtime", "kata")
                        .addToTolerations(SANDBOX)
                        .endScheduling()
                        .build())
                .create();
    }

    private void sandboxNode() {
        client.resource(TeamCluster.node()
                        .editMetadata()
                        .addToLabels("runtime", "kata")
                        .endMetadata()
                        .editSpec()
                        .addNewTaint()
                        .withKey("sandbox")
                        .withEffect("NoSchedule")
                        .endTaint()
                        .endSpec()
                        .build())
                .update();
    }

    /** Answers dry runs of pods with the changed pod, as an API server with a webhook. */
    private void webhook(UnaryOperator<PodBuilder> change) {
        server.expect()
                .post()
                .withPath("/api/v1/namespaces/team/pods?dryRun=All")
                .andReply(
                        201,
                        request -> change.apply(new PodBuilder(Serialization.unmarshal(
                                        request.getBody().readUtf8(), Pod.class)))
                                .build())
                .always();
    }

    private void dryRunFails(int code, String message) {
        server.expect()
                .post()
                .withPath("/api/v1/namespaces/team/pods?dryRun=All")
                .andReturn(
                        code,
                        new StatusBuilder().withCode(code).withMessage(message).build())
                .always();
    }

    private void quota(String resource, String amount) {
        client.resource(new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withNamespace("team")
                        .withName("small")
                        .endMetadata()
                        .withNewSpec()
                        .addToHard(resource, new Quantity(amount))
                        .endSpec()
                        .build())
                .create();
    }

    /** Allows no pod of a priority class. */
    private void noneOfPriority(String name) {
        client.resource(new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withNamespace("team")
                        .withName(name + "-pods")
                        .endMetadata()
                        .withNewSpec()
                        .addToHard("pods", new Quantity("0"))
                        .withNewScopeSelector()
                        .addToMatchExpressions(
                                new ScopedResourceSelectorRequirement("In", "PriorityClass", List.of(name)))
                        .endScopeSelector()
                        .endSpec()
                        .build())
                .create();
    }

    private PreflightReport report(JobBuilder job, PodOptions options) {
        return Preflight.of(client, job.build(), options);
    }

    @Test
    void a_node_must_have_room_for_the_overhead_of_the_runtime_class() {
        runtimeClass();
        sandboxNode();
        allowed = NO_PODS;

        assertThat(report(job("cpu=4"), kata()).toString()).contains("""
                warning: worker.request: the pods fit no node unless the cluster adds one
                  why: of 1 node: 1 with cpu of 4 (4500m requested, of which the API server adds 500m)
                  fix: set request("cpu=3500m") at most""");
    }

    @Test
    void a_node_must_have_the_labels_of_the_runtime_class() {
        runtimeClass();
        allowed = NO_PODS;

        assertThat(report(job("cpu=1"), kata()).toString()).contains("""
                warning: worker.request: the pods fit no node unless the cluster adds one
                  why: of 1 node: 1 without the label runtime=kata
                  fix: use another runtime class or namespace, because the API server adds the nodeSelector\
                 runtime=kata""");
    }

    @Test
    void pods_get_the_tolerations_of_the_runtime_class() {
        runtimeClass();
        sandboxNode();
        allowed = NO_PODS;

        assertThat(report(job("cpu=1"), kata()).problems())
                .noneSatisfy(problem -> assertThat(problem.topic()).isEqualTo(ProblemTopic.NODE));
    }

    @Test
    void pods_that_contradict_their_runtime_class_are_an_error() {
        runtimeClass();
        PodOptions options = PodOptions.builder()
                .nodeSelector("runtime", "runc")
                .pod(pod -> pod.edit()
                        .editSpec()
                        .withRuntimeClassName("kata")
                        .addToOverhead("cpu", new Quantity("1"))
                        .endSpec()
                        .build())
                .build();

        assertThat(report(job("cpu=1"), options).toString()).contains("""
                error: worker.pod.runtimeClassName: RuntimeClass "kata" contradicts the pods
                  why: the pods set another overhead than the class; the class selects nodes with runtime=kata,\
                 the pods select runtime=runc
                  fix: remove these fields from the job, or use another runtime class""");
    }

    @Test
    void a_quota_counts_the_overhead_of_the_runtime_class() {
        runtimeClass();
        sandboxNode();
        quota("requests.cpu", "1");
        allowed = NO_PODS;

        assertThat(report(job("cpu=1"), kata()).toString()).contains("requests.cpu: 1 of 1 left, the job needs 1500m");
    }

    @Test
    void an_overhead_is_no_limit() {
        runtimeClass();
        sandboxNode();
        quota("limits.memory", "10Gi");
        allowed = NO_PODS;

        assertThat(report(job("cpu=1"), kata()).toString()).contains("the pods do not set limits.memory");
    }

    @Test
    void a_limit_range_does_not_count_the_overhead_of_the_runtime_class() {
        runtimeClass();
        sandboxNode();
        client.resource(new LimitRangeBuilder()
                        .withNewMetadata()
                        .withNamespace("team")
                        .withName("bounds")
                        .endMetadata()
                        .withNewSpec()
                        .addNewLimit()
                        .withType("Pod")
                        .addToMax("cpu", new Quantity("1"))
                        .endLimit()
                        .endSpec()
                        .build())
                .create();
        allowed = NO_PODS;

        assertThat(report(job("cpu=1").limit("cpu=1"), kata()).problems())
                .noneSatisfy(problem -> assertThat(problem.topic()).isEqualTo(ProblemTopic.LIMIT_RANGE));
    }

    @Test
    void the_default_priority_class_selects_the_quota() {
        client.resource(new PriorityClassBuilder()
                        .withNewMetadata()
                        .withName("standard")
                        .endMetadata()
                        .withValue(100)
                        .withGlobalDefault(true)
                        .build())
                .create();
        noneOfPriority("standard");
        allowed = NO_PODS;

        assertThat(report(job("cpu=1"), PodOptions.none()).toString())
                .contains("ResourceQuota \"standard-pods\" has too little left: pods: 0 of 0 left, the job needs 1");
    }

    @Test
    void a_pod_with_devices_alone_is_best_effort() {
        client.resource(new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withNamespace("team")
                        .withName("best-effort")
                        .endMetadata()
                        .withNewSpec()
                        .addToHard("pods", new Quantity("0"))
                        .withScopes("BestEffort")
                        .endSpec()
                        .build())
                .create();

        assertThat(report(job("gpu=1"), PodOptions.none()).toString())
                .contains("ResourceQuota \"best-effort\" has too little left");
    }

    @Test
    void requests_of_a_container_that_a_webhook_adds_count() {
        quota("requests.cpu", "4");
        webhook(pod -> pod.editSpec()
                .addNewContainer()
                .withName("proxy")
                .withNewResources()
                .addToRequests("cpu", new Quantity("2"))
                .endResources()
                .endContainer()
                .endSpec());

        assertThat(report(job("cpu=3"), PodOptions.none())).hasToString("""
                job "mnist" in namespace "team": 1 error, 1 warning, 0 not checked
                error: worker.request: ResourceQuota "small" has too little left: requests.cpu: 4 of 4 left,\
                 the job needs 5
                  why: the API server refuses the pods above the quota
                  fix: request less, use fewer replicas, or ask the quota's administrator to raise it to\
                 requests.cpu=5
                warning: worker.request: the pods fit no node unless the cluster adds one
                  why: of 1 node: 1 with cpu of 4 (5 requested, of which the API server adds 2)
                  fix: set request("cpu=2") at most""");
    }

    @Test
    void tolerations_that_a_webhook_adds_count() {
        sandboxNode();
        webhook(pod -> pod.editSpec().addToTolerations(SANDBOX).endSpec());

        assertThat(report(job("cpu=1"), PodOptions.none()).problems()).isEmpty();
    }

    // The rule to drop all capabilities came with v1.22 of the standard.
    @ParameterizedTest
    @CsvSource({"v1.21, 0", "v1.22, 1", "latest, 1", "1.21, 1", "v1.021, 1"})
    void the_version_that_the_namespace_enforces_has_its_own_rules(String version, int problems) {
        TeamCluster.restrict(client);
        client.namespaces()
                .withName("team")
                .edit(team -> team.edit()
                        .editMetadata()
                        .addToLabels(PodSecurityCheck.VERSION_LABEL, version)
                        .endMetadata()
                        .build());
        webhook(pod -> pod.editSpec()
                .withNewSecurityContext()
                .withRunAsNonRoot(true)
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .endSecurityContext()
                .editFirstContainer()
                .withNewSecurityContext()
                .withAllowPrivilegeEscalation(false)
                .endSecurityContext()
                .endContainer()
                .endSpec());
        PodOptions given = PodOptions.builder().security(PodSecurity.AS_GIVEN).build();

        assertThat(report(job("cpu=1"), given).errors()).hasSize(problems);
    }

    @Test
    void a_security_context_that_a_webhook_sets_counts() {
        TeamCluster.restrict(client);
        PodOptions given = PodOptions.builder().security(PodSecurity.AS_GIVEN).build();
        webhook(pod -> pod.editSpec()
                .withNewSecurityContext()
                .withRunAsNonRoot(true)
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .endSecurityContext()
                .editFirstContainer()
                .withNewSecurityContext()
                .withAllowPrivilegeEscalation(false)
                .withNewCapabilities()
                .addToDrop("ALL")
                .endCapabilities()
                .endSecurityContext()
                .endContainer()
                .endSpec());

        assertThat(report(job("cpu=1"), given).problems()).isEmpty();
    }

    @Test
    void a_priority_class_of_the_job_replaces_the_default_of_the_dry_run() {
        noneOfPriority("urgent");
        webhook(pod -> pod.editSpec().withPriorityClassName("standard").endSpec());
        PodOptions options = PodOptions.builder().priorityClass("urgent", 7).build();

        assertThat(report(job("cpu=1").priority(Priority.of("urgent")), options).toString())
                .contains("ResourceQuota \"urgent-pods\" has too little left");
    }

    @Test
    void without_a_dry_run_changes_by_webhooks_are_not_checked() {
        allowed = NO_PODS;

        assertThat(report(job("cpu=1"), PodOptions.none()).notChecked())
                .extracting(Problem::toString)
                .containsExactly("""
                not checked: worker.pod: changes of the pods by webhooks and admission policies are unknown
                  why: the client may not create pods, not even as a dry run
                  fix: expect further containers, requests, labels or tolerations; limit ranges, runtime classes\
                 and priority classes are considered""");
    }

    @Test
    void a_webhook_that_supports_no_dry_run_is_no_error() {
        dryRunFails(400, "admission webhook \"vault.example\" does not support dry run");

        assertThat(report(job("cpu=1"), PodOptions.none()).problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.severity()).isEqualTo(Severity.NOT_CHECKED))
                .satisfies(problem -> assertThat(problem.why())
                        .isEqualTo("admission webhook \"vault.example\" does not support dry run"));
    }

    @Test
    void a_refusal_that_no_check_explains_is_an_error() {
        dryRunFails(403, "admission webhook \"policy.example\" denied the request: no team label");

        assertThat(report(job("cpu=1"), PodOptions.none())).hasToString("""
                job "mnist" in namespace "team": 1 error, 0 warnings, 0 not checked
                error: worker: the API server refuses Pod "elasticdl-mnist-worker-0"
                  why: admission webhook "policy.example" denied the request: no team label
                  fix: change the fields that it names, or ask the cluster's administrator""");
    }

    @Test
    void a_default_priority_class_that_may_not_be_read_is_not_checked() {
        dryRunFails(403, "exceeded quota");
        server.expect()
                .get()
                .withPath("/apis/scheduling.k8s.io/v1/priorityclasses")
                .andReturn(403, new StatusBuilder().withCode(403).build())
                .always();

        assertThat(report(job("cpu=1"), PodOptions.none()).notChecked())
                .extracting(Problem::toString)
                .containsExactly("""
                not checked: worker.priority: the default PriorityClass could not be read
                  why: the client may not list priorityclasses
                  fix: skip this check, or have the permission granted: SubmitterRole.of(plan, options).preflight()""");
    }

    @Test
    void pods_that_an_operator_creates_are_admitted_too() {
        webhook(pod -> pod.editSpec()
                .addNewContainer()
                .withName("proxy")
                .withNewResources()
                .addToRequests("cpu", new Quantity("2"))
                .endResources()
                .endContainer()
                .endSpec());

        assertThat(delegated().toString()).contains("with cpu of 4 (5 requested, of which the API server adds 2)");
    }

    @Test
    void without_permission_for_an_operators_pods_changes_by_webhooks_are_not_checked() {
        dryRunFails(
                403,
                "pods \"mnist-worker-0\" is forbidden: User \"anna\" cannot create resource \"pods\" in API group \"\""
                        + " in the namespace \"team\"");

        assertThat(delegated().notChecked())
                .singleElement()
                .satisfies(problem -> assertThat(problem.topic()).isEqualTo(ProblemTopic.ADMISSION))
                .satisfies(problem ->
                        assertThat(problem.why()).isEqualTo("the client may not create pods, not even as a dry run"));
    }

    private PreflightReport delegated() {
        JobPlan plan = job("cpu=3").build().plan(Profile.KUBEFLOW_V1);
        GenericKubernetesResource resource = new GenericKubernetesResourceBuilder()
                .withApiVersion("kubeflow.org/v1")
                .withKind("TFJob")
                .withNewMetadata()
                .withName("mnist")
                .withNamespace("team")
                .endMetadata()
                .build();
        return Preflight.of(client, plan, PodOptions.none(), resource, List.of());
    }
}
