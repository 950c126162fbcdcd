package dev.edl.k8s.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.k8s.MockCluster;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.PodSecurity;
import dev.edl.spec.Priority;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LimitRangeBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** No fix has a command that removes a protection of nodes, of the namespace or of other users' objects. */
@MockCluster
class ProposedFixTest {
    // The extension sets them.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    @BeforeEach
    void a_cluster() {
        TeamCluster.create(client, server, review -> true);
    }

    private static JobBuilder job() {
        return Job.named("mnist")
                .namespace("team")
                .image("x")
                .request("cpu=1")
                .tensorflow()
                .workers(1);
    }

    private ProblemFix fix(JobBuilder job, PodOptions options) {
        PreflightReport report = Preflight.of(client, job.build(), options);
        assertThat(report.problems()).as(report.toString()).hasSize(1);
        return report.problems().get(0).fix();
    }

    private ProblemFix fix() {
        return fix(job(), PodOptions.none());
    }

    private void put(HasMetadata object) {
        client.resource(object).create();
    }

    private void node(NodeBuilder node) {
        client.resource(node.build()).update();
    }

    @Test
    void a_taint_is_tolerated_exactly_and_stays() {
        node(TeamCluster.node()
                .editSpec()
                .addNewTaint("NoSchedule", "team", null, "a")
                .endSpec());

        assertThat(fix())
                .isEqualTo(ProblemFix.of("set PodOptions.builder().toleration(new TolerationBuilder().withKey(\"team\")"
                        + ".withValue(\"a\").withEffect(\"NoSchedule\").build()) if the node's administrator allows the"
                        + " job there"));
    }

    @Test
    void a_change_of_the_job_comes_before_a_reserved_node() {
        node(TeamCluster.node()
                .editSpec()
                .addNewTaint("NoSchedule", "node-role.kubernetes.io/control-plane", null, null)
                .endSpec());
        put(TeamCluster.node()
                .editMetadata()
                .withName("small")
                .endMetadata()
                .editStatus()
                .addToAllocatable("cpu", new Quantity("500m"))
                .endStatus()
                .build());

        assertThat(fix()).isEqualTo(ProblemFix.of("set request(\"cpu=500m\") at most"));
    }

    @Test
    void a_cordon_stays() {
        node(TeamCluster.node().editSpec().withUnschedulable(true).endSpec());

        assertThat(fix()).isEqualTo(ProblemFix.of("wait until the node's administrator ends the cordon"));
    }

    @Test
    void labels_of_nodes_stay() {
        PodOptions options = PodOptions.builder().nodeSelector("disk", "fast").build();

        assertThat(fix(job(), options)).isEqualTo(ProblemFix.of("remove the nodeSelector"));
    }

    @Test
    void a_quota_stays() {
        put(new ResourceQuotaBuilder()
                .withNewMetadata()
                .withNamespace("team")
                .withName("small")
                .endMetadata()
                .withNewSpec()
                .addToHard("pods", new Quantity("0"))
                .endSpec()
                .build());

        assertThat(fix())
                .isEqualTo(
                        ProblemFix.of("request less, use fewer replicas, or ask the quota's administrator to raise it"
                                + " to pods=1"));
    }

    @Test
    void a_namespace_gets_no_defaults_for_the_pods_of_others() {
        put(new ResourceQuotaBuilder()
                .withNewMetadata()
                .withNamespace("team")
                .withName("small")
                .endMetadata()
                .withNewSpec()
                .addToHard("requests.memory", new Quantity("9Gi"))
                .endSpec()
                .build());

        assertThat(fix())
                .isEqualTo(ProblemFix.of("set request(\"memory=1Gi\"), or ask the namespace's administrator for a"
                        + " LimitRange with defaults"));
    }

    @Test
    void a_limit_range_stays() {
        put(new LimitRangeBuilder()
                .withNewMetadata()
                .withNamespace("team")
                .withName("bounds")
                .endMetadata()
                .withNewSpec()
                .addNewLimit()
                .withType("Container")
                .addToMin("cpu", new Quantity("2"))
                .endLimit()
                .endSpec()
                .build());

        assertThat(fix())
                .isEqualTo(ProblemFix.of(
                        "set request(\"cpu=2\"), or ask the namespace's administrator to change the" + " LimitRange"));
    }

    @Test
    void a_pod_security_level_stays() {
        TeamCluster.restrict(client);

        assertThat(fix(
                        job(),
                        PodOptions.builder().security(PodSecurity.AS_GIVEN).build()))
                .isEqualTo(
                        ProblemFix.of("remove security(AS_GIVEN), or run the job in a namespace of level \"baseline\","
                                + " which its administrator sets"));
    }

    private static final ProblemFix OTHER_NAME =
            ProblemFix.of("give the job another name; delete the object only if nothing else uses it");

    @Test
    void a_service_of_the_same_name_stays() {
        put(new ServiceBuilder()
                .withNewMetadata()
                .withNamespace("team")
                .withName("elasticdl-mnist-worker-0")
                .endMetadata()
                .build());

        assertThat(fix(job().chief(), PodOptions.none())).isEqualTo(OTHER_NAME);
    }

    @Test
    void a_pod_of_the_same_name_stays() {
        put(new PodBuilder()
                .withNewMetadata()
                .withNamespace("team")
                .withName("elasticdl-mnist-worker-0")
                .endMetadata()
                .build());

        assertThat(fix()).isEqualTo(OTHER_NAME);
    }

    @Test
    void a_job_of_the_same_name_stays() {
        put(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("team")
                .withName("edl-job-mnist")
                .endMetadata()
                .build());

        assertThat(fix())
                .isEqualTo(ProblemFix.of("give this job another name; if the job is yours, resume it with"
                        + " attach(\"team\", \"mnist\") or remove it with delete(\"team\", \"mnist\")"));
    }

    @Test
    void a_secret_of_another_type_stays() {
        put(new SecretBuilder()
                .withNewMetadata()
                .withNamespace("team")
                .withName("registry")
                .endMetadata()
                .withType("Opaque")
                .build());

        ProblemFix fix =
                fix(job(), PodOptions.builder().imagePullSecret("registry").build());

        assertThat(fix.advice()).isEqualTo("create one of that type, and use it: imagePullSecret(\"registry-pull\")");
        assertThat(fix.command())
                .isEqualTo(Optional.of("kubectl create secret docker-registry registry-pull --namespace team"
                        + " --docker-server=REGISTRY --docker-username=USER --docker-password=PASSWORD"));
    }

    @Test
    void a_new_priority_class_preempts_no_pods_of_others() {
        ProblemFix fix = fix(job().priority(Priority.of("urgent")), PodOptions.none());

        assertThat(fix.command())
                .isEqualTo(
                        Optional.of("kubectl create priorityclass urgent --value=1000000 --preemption-policy=Never"));
    }
}
