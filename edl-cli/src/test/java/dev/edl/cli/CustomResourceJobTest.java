package dev.edl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.MockCluster;
import dev.edl.k8s.render.PodOptions;
import dev.edl.operators.CustomResourceExecutor;
import dev.edl.operators.CustomResourceKind;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.spec.Framework;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.CustomResourceDefinitionContext;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The mock plays no operator and collects no garbage. */
@MockCluster
class CustomResourceJobTest {
    private static final CustomResourceKind PYTORCH = CustomResourceKind.kubeflowPyTorchJob();
    private static final CustomResourceKind TFJOB = CustomResourceKind.tfJob();

    // The extension sets both.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    @TempDir
    private Path directory;

    @BeforeEach
    void definitions() throws IOException {
        Edl.kubeconfig(client, directory);
        for (CustomResourceKind each : List.of(PYTORCH, TFJOB)) {
            ResourceDefinitionContext kind = context(each);
            server.expectCustomResource(new CustomResourceDefinitionContext.Builder()
                    .withGroup(kind.getGroup())
                    .withVersion(kind.getVersion())
                    .withKind(kind.getKind())
                    .withPlural(kind.getPlural())
                    .withScope("Namespaced")
                    .build());
        }
    }

    private Edl edl(String... args) {
        return Edl.on(directory.resolve("config"), args);
    }

    private static Job job() {
        return Job.named("mnist")
                .namespace("team")
                .pytorch()
                .image("mnist:1")
                .workers(2)
                .elastic(1, 4)
                .build();
    }

    private static ResourceDefinitionContext context(CustomResourceKind kind) {
        String[] definition = kind.definition().split("\\.", 2);
        return new ResourceDefinitionContext.Builder()
                .withGroup(definition[1])
                .withVersion(kind.apiVersion().substring(definition[1].length() + 1))
                .withKind(kind.kind())
                .withPlural(definition[0])
                .withNamespaced(true)
                .build();
    }

    private Resource<GenericKubernetesResource> resource(CustomResourceKind kind) {
        return client.genericKubernetesResources(context(kind))
                .inNamespace("team")
                .withName("mnist");
    }

    /** Creates a PyTorchJob that its operator has started. */
    private void start() {
        JobPlan plan = job().plan(Profile.KUBEFLOW_V1);
        try (CustomResourceExecutor operator = CustomResourceExecutor.using(client, PYTORCH)) {
            operator.submit(job());
        }
        client.resource(new PodBuilder()
                        .withNewMetadata()
                        .withName(plan.replica("worker", 0).name())
                        .withNamespace("team")
                        .withLabels(plan.replica("worker", 0).labels())
                        .endMetadata()
                        .withNewSpec()
                        .addNewContainer()
                        .withName("pytorch")
                        .endContainer()
                        .endSpec()
                        .withNewStatus()
                        .withPhase("Running")
                        .addNewContainerStatus()
                        .withName("pytorch")
                        .withNewState()
                        .withNewRunning()
                        .endRunning()
                        .endState()
                        .endContainerStatus()
                        .endStatus()
                        .build())
                .create();
        resource(PYTORCH).editStatus(found -> {
            found.setAdditionalProperty(
                    "status", Map.of("conditions", List.of(Map.of("type", "Running", "status", "True"))));
            return found;
        });
    }

    @Test
    void status_shows_a_custom_resource_without_a_record() {
        start();

        Edl run = edl("status", "mnist");

        assertThat(run.err()).isEmpty();
        assertThat(run.out().replaceAll(" +(\\d+s|<unknown>)\n", " AGE\n")).isEqualTo("""
                        job mnist RUNNING: worker 1/2 running
                        NAME             READY   STATUS    RESTARTS   AGE
                        mnist-worker-0   1/1     Running   0 AGE
                        driven by the operator of PyTorchJob kubeflow.org/v1
                        """);
        assertThat(run.code()).isZero();
    }

    @Test
    void scale_changes_a_custom_resource_without_a_record() {
        start();

        Edl run = edl("scale", "mnist", "worker=3");

        assertThat(run).isEqualTo(new Edl(0, "job mnist: worker scaled to 3\n", ""));
        assertThat(resource(PYTORCH).get().<Integer>get("spec", "pytorchReplicaSpecs", "Worker", "replicas"))
                .isEqualTo(3);
    }

    @Test
    void a_resource_that_its_operator_cannot_scale_is_an_error_without_a_stack_trace() {
        Job job = job().toBuilder().framework(Framework.TENSORFLOW).build();
        try (CustomResourceExecutor operator = CustomResourceExecutor.using(client, TFJOB)) {
            operator.submit(job);
        }

        Edl run = edl("scale", "mnist", "worker=3");

        assertThat(run.err())
                .startsWith("job \"mnist\" cannot be scaled as a TfJob tensorflow.org/v1alpha1: its operator reads a")
                .doesNotContain("\tat ");
        assertThat(run.code()).isEqualTo(1);
    }

    @Test
    void a_custom_resource_without_a_record_is_not_cancelled() {
        start();

        Edl run = edl("cancel", "mnist");

        assertThat(run)
                .isEqualTo(new Edl(
                        1,
                        "",
                        "job \"mnist\" cannot be cancelled, because the operator of its PyTorchJob kubeflow.org/v1 ends"
                                + " it only with the resource; edl delete mnist -n team deletes both\n"));
    }

    @Test
    void the_log_and_driver_of_a_custom_resource_without_a_record_are_its_operators() {
        start();

        assertThat(edl("logs", "mnist"))
                .isEqualTo(new Edl(
                        1,
                        "",
                        "job \"mnist\" has no record, because the operator of its PyTorchJob kubeflow.org/v1 drives it;"
                                + " edl status mnist -n team lists its pods, kubectl logs POD -n team prints the log of"
                                + " a pod\n"));
        assertThat(edl("attach", "mnist"))
                .isEqualTo(new Edl(
                        1,
                        "",
                        "job \"mnist\" cannot be attached, because the operator of its PyTorchJob kubeflow.org/v1"
                                + " drives it; edl status mnist -n team --watch follows it\n"));
    }

    @Test
    void delete_removes_a_custom_resource_without_a_record() {
        start();

        Edl run = edl("delete", "mnist");

        assertThat(run).isEqualTo(new Edl(0, "job mnist deleted from namespace team\n", ""));
        assertThat(resource(PYTORCH).get()).isNull();
    }

    /** Returns an executor that has started the job of a TfJob, as EDL's controller does. */
    private KubernetesExecutor controller() {
        return controller(owner -> {});
    }

    private KubernetesExecutor controller(Consumer<ObjectMeta> change) {
        Job job = Job.named("mnist")
                .namespace("team")
                .tensorflow()
                .image("mnist:1")
                .master()
                .workers(2)
                .elastic(1, 4)
                .runId("76no")
                .build();
        try (CustomResourceExecutor submitter = CustomResourceExecutor.using(client, TFJOB)) {
            submitter.submit(job);
        }
        GenericKubernetesResource owner = resource(TFJOB).get();
        change.accept(owner.getMetadata());
        KubernetesExecutor controller = KubernetesExecutor.using(
                client, PodOptions.builder().owner(owner).build());
        controller.ensure(job.plan(Profile.TFJOB_V1ALPHA1));
        return controller;
    }

    private Resource<ConfigMap> record() {
        return client.configMaps().inNamespace("team").withName("edl-job-mnist");
    }

    @Test
    void delete_removes_the_custom_resource_of_a_controllers_job() {
        try (KubernetesExecutor controller = controller()) {
            assertThat(controller.jobs()).hasSize(1);

            Edl run = edl("delete", "mnist");

            assertThat(run).isEqualTo(new Edl(0, "job mnist deleted from namespace team\n", ""));
            assertThat(resource(TFJOB).get()).isNull();
            assertThat(record().get())
                    .describedAs("the cluster's garbage collector deletes the record")
                    .isNotNull();
        }
    }

    @Test
    void scale_uses_the_custom_resource_of_a_controllers_job() {
        try (KubernetesExecutor controller = controller()) {
            assertThat(controller.jobs()).hasSize(1);

            Edl run = edl("scale", "mnist", "worker=3");

            assertThat(run.err()).startsWith("job \"mnist\" cannot be scaled as a TfJob tensorflow.org/v1alpha1: ");
            assertThat(record().get().getData()).doesNotContainKey("requests");
        }
    }

    private void forbidden() {
        server.expect()
                .get()
                .withPath("/apis/tensorflow.org/v1alpha1/namespaces/team/tfjobs/mnist")
                .andReturn(403, "tfjobs \"mnist\" is forbidden")
                .always();
    }

    @Test
    void a_controllers_job_stays_if_its_resource_may_not_be_read() {
        try (KubernetesExecutor controller = controller()) {
            forbidden();

            Edl run = edl("delete", "mnist");

            assertThat(run.code()).isEqualTo(1);
            assertThat(run.err()).contains("Forbidden").doesNotContain("\tat ");
            assertThat(controller.jobs()).hasSize(1);
            assertThat(record().get()).isNotNull();
        }
    }

    @Test
    void a_resource_that_may_not_be_read_is_no_job() {
        forbidden();

        for (String command : List.of("status", "scale", "delete", "cancel")) {
            String[] role = command.equals("scale") ? new String[] {"worker=1"} : new String[0];
            assertThat(edl(Stream.concat(Stream.of(command, "mnist"), Stream.of(role))
                                    .toArray(String[]::new))
                            .err())
                    .startsWith("job \"mnist\" is not in namespace \"team\"")
                    .endsWith("; this account may not read tfjobs.tensorflow.org\n");
        }
    }

    @Test
    void a_custom_resource_that_does_not_own_the_record_stays() {
        start();
        try (KubernetesExecutor driver = KubernetesExecutor.using(client)) {
            driver.submit(Job.named("mnist")
                    .namespace("team")
                    .image("mnist:1")
                    .master()
                    .workers(2)
                    .build());
        }

        assertThat(edl("delete", "mnist").code()).isZero();

        assertThat(resource(PYTORCH).get()).isNotNull();
    }

    @Test
    void a_job_of_two_kinds_is_neither() {
        start();
        try (CustomResourceExecutor operator = CustomResourceExecutor.using(client, TFJOB)) {
            operator.submit(job().toBuilder().framework(Framework.TENSORFLOW).build());
        }

        for (Edl run : List.of(edl("delete", "mnist"), edl("scale", "mnist", "worker=3"), edl("status", "mnist"))) {
            assertThat(run).isEqualTo(new Edl(1, "", """
                            job "mnist" must be one resource of namespace "team", was TfJob tensorflow.org/v1alpha1 and \
                            PyTorchJob kubeflow.org/v1; delete one of them:
                              kubectl delete tfjobs.tensorflow.org mnist -n team
                              kubectl delete pytorchjobs.kubeflow.org mnist -n team
                            """));
        }
        assertThat(resource(PYTORCH).get()).isNotNull();
        assertThat(resource(TFJOB).get()).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"name", "uid"})
    void a_resource_stays_if_another_owns_the_record(String field) {
        try (KubernetesExecutor controller = controller(owner -> {
            if (field.equals("name")) {
                owner.setName("other");
            } else {
                owner.setUid("00000000-0000-0000-0000-000000000000");
            }
        })) {
            assertThat(controller.jobs()).hasSize(1);

            assertThat(edl("delete", "mnist")).isEqualTo(new Edl(0, "job mnist deleted from namespace team\n", ""));

            assertThat(record().get()).isNull();
            assertThat(resource(TFJOB).get()).isNotNull();
        }
    }
}
