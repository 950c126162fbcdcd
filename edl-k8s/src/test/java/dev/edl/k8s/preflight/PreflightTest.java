package dev.edl.k8s.preflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.MockCluster;
import dev.edl.k8s.nodes.NodeNotices;
import dev.edl.k8s.render.PodOptions;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Text of the report. A real cluster shows each check; the mock does not enforce permissions and admission. */
@MockCluster
class PreflightTest {
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

    private static JobBuilder job() {
        return Job.named("mnist").namespace("team").image("x").tensorflow();
    }

    private PreflightReport report(Job job) {
        return Preflight.of(client, job, PodOptions.none());
    }

    @Test
    void a_valid_job_has_no_problems() {
        PreflightReport report = report(job().workers(2).build());

        assertThat(report).hasToString("job \"mnist\" in namespace \"team\": 0 errors, 0 warnings, 0 not checked");
        assertThat(report.ok()).isTrue();
        report.throwIfAny();
    }

    @Test
    void the_secret_of_a_trainings_token_counts_against_a_quota() {
        client.resource(new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withNamespace("team")
                        .withName("small")
                        .endMetadata()
                        .withNewSpec()
                        .addToHard("secrets", new Quantity("0"))
                        .endSpec()
                        .build())
                .create();
        PreflightReport report = report(Job.named("mnist")
                .namespace("team")
                .image("x")
                .elasticdl()
                .env("EDL_TOKEN_FILE", "/run/edl/token")
                .workers(1)
                .build());

        assertThat(report.toString())
                .contains("ResourceQuota \"small\" has too little left: secrets: 0 of 0 left, the job needs 1");
    }

    @Test
    void a_plaintext_secret_is_a_warning_with_the_fix() {
        PreflightReport report =
                report(job().workers(2).env("HF_TOKEN", "hf_abc").build());

        assertThat(report).hasToString("""
                job "mnist" in namespace "team": 0 errors, 1 warning, 0 not checked
                warning: worker.env.HF_TOKEN: the value is in plain text in the job's ConfigMap and in each pod
                  why: the name suggests a secret, and every account that may read ConfigMaps can read it
                  fix: store it in a Secret, and refer to it with secretEnv("HF_TOKEN", "my-secret", "HF_TOKEN")
                       $ kubectl create secret generic my-secret --from-literal=HF_TOKEN=... --namespace team""");
    }

    @Test
    void a_reference_to_a_missing_secret_is_an_error() {
        PreflightReport report =
                report(job().workers(2).secretEnv("HF_TOKEN", "hub", "token").build());

        assertThat(report.toString()).contains("error: worker.env.HF_TOKEN: Secret \"hub\" is missing");
    }

    @Test
    void every_problem_is_in_one_report_with_its_reason_and_its_fix() {
        PodOptions options = PodOptions.builder().serviceAccount("trainer").build();
        Job job = job().chief().request("cpu=1").workers(2).request("cpu=1").build();

        PreflightReport report = Preflight.of(client, job, options);

        assertThat(report).hasToString("""
                job "mnist" in namespace "team": 1 error, 0 warnings, 0 not checked
                error: chief.serviceAccount, worker.serviceAccount: ServiceAccount "trainer" is missing
                  why: the API server refuses pods of an unknown ServiceAccount
                  fix: create it, or remove serviceAccount("trainer")
                       $ kubectl create serviceaccount trainer --namespace team""");
        assertThatThrownBy(report::throwIfAny)
                .isInstanceOf(PreflightException.class)
                .hasMessage(report.toString());
    }

    @Test
    void a_forbidden_read_is_not_an_error() {
        server.expect()
                .get()
                .withPath("/api/v1/nodes")
                .andReturn(403, new StatusBuilder().withCode(403).build())
                .always();

        PreflightReport report = report(job().workers(1).request("cpu=100").build());

        assertThat(report.ok()).isTrue();
        assertThat(report).hasToString("""
                job "mnist" in namespace "team": 0 errors, 0 warnings, 1 not checked
                not checked: worker.request: nodes could not be read
                  why: the client may not list nodes
                  fix: skip this check, or have the permission granted: SubmitterRole.of(plan, options).preflight()""");
    }

    @Test
    void node_notices_need_permission_to_watch_nodes() {
        allowed = review -> !review.contains("\"nodes\"");
        Job job = job().workers(1).build();
        try (KubernetesExecutor executor = KubernetesExecutor.builder()
                        .client(client)
                        .nodeNotices(NodeNotices.standard())
                        .build();
                KubernetesExecutor other = KubernetesExecutor.using(client)) {
            assertThat(executor.preflight(job).errors())
                    .singleElement()
                    .satisfies(problem -> assertThat(problem.what()).isEqualTo("anna may not list, watch nodes"))
                    .satisfies(problem -> assertThat(problem.fix().toString())
                            .contains(
                                    "kubectl create clusterrole edl-mnist-nodes-list --verb=list,watch --resource=nodes"
                                            + " && kubectl create clusterrolebinding edl-mnist-nodes-list"
                                            + " --clusterrole=edl-mnist-nodes-list"));
            assertThat(executor.preflight(job.plan()).ok()).isFalse();
            // The mock has created the object of the dry run.
            Job another = Job.named("other")
                    .namespace("team")
                    .image("x")
                    .tensorflow()
                    .workers(1)
                    .build();
            assertThat(other.preflight(another).ok()).isTrue();
        }
    }

    @Test
    void the_plan_reports_a_name_that_is_too_long() {
        Job job = Job.named("a".repeat(60))
                .namespace("team")
                .image("x")
                .tensorflow()
                .workers(1)
                .build();

        assertThat(report(job).problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.topic()).isEqualTo(ProblemTopic.PLAN))
                .satisfies(problem -> assertThat(problem.what()).contains("may have at most 63 characters"));
    }

    @Test
    void unfit_options_have_the_message_of_the_renderer() {
        PodOptions options = PodOptions.builder()
                .role("chief", chief -> chief.toleration("gpu", "NoSchedule"))
                .build();

        assertThat(Preflight.of(client, job().workers(1).build(), options).problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.topic()).isEqualTo(ProblemTopic.PLAN));
    }

    @Test
    void an_existing_job_is_reported_by_its_record() {
        try (KubernetesExecutor executor = KubernetesExecutor.using(client)) {
            Job job = job().workers(1).build();
            executor.submit(job);

            assertThat(executor.preflight(job).errors())
                    .extracting(Problem::what)
                    .singleElement()
                    .asString()
                    .startsWith("job \"mnist\" exists already, in phase ");
        }
    }
}
