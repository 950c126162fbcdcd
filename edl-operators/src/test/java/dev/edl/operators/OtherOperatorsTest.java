package dev.edl.operators;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.k8s.MockCluster;
import dev.edl.operators.crd.ConversionLoss;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.ResourceWriteResult;
import dev.edl.operators.crd.et.ScaleRequest;
import dev.edl.spec.RoleType;
import dev.edl.spec.SuccessPolicy;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The operators of TfJob, MxJob and TrainingJob, played by the test, and the additional settings of a PyTorchJob. */
@MockCluster
// The extension sets the fields.
@SuppressWarnings("NullAway.Init")
class OtherOperatorsTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private KubernetesClient client;
    private KubernetesMockServer server;

    private static Job horovod() {
        return Job.named("elastic")
                .namespace("test")
                .horovod()
                .image("horovod:1")
                .launcher()
                .workers(2)
                .elastic(1, 4)
                .build();
    }

    private List<GenericKubernetesResource> requests(String kind) {
        return client.genericKubernetesResources(CustomResourceKind.context(
                        "kai.alibabacloud.com/v1alpha1", kind, kind.toLowerCase(java.util.Locale.ROOT) + "s"))
                .inNamespace("test")
                .list()
                .getItems();
    }

    private PlayedOperator play(CustomResourceKind resource, Job job) {
        PlayedOperator.expect(server, resource.context());
        PlayedOperator.expect(
                server, CustomResourceKind.context("kai.alibabacloud.com/v1alpha1", "ScaleIn", "scaleins"));
        PlayedOperator.expect(
                server, CustomResourceKind.context("kai.alibabacloud.com/v1alpha1", "ScaleOut", "scaleouts"));
        return new PlayedOperator(client, resource, job.plan(resource.profile()));
    }

    @Test
    void a_tf_job_gets_the_run_id_of_its_plan_and_its_state_is_the_jobs() throws InterruptedException {
        Job job = Job.named("mnist")
                .namespace("test")
                .tensorflow()
                .image("mnist:1")
                .master()
                .ps(1)
                .workers(1)
                .build();
        PlayedOperator operator = play(CustomResourceKind.tfJob(), job);
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, CustomResourceKind.tfJob());
                CustomResourceRun run = executor.submit(job)) {
            assertThat(PlayedOperator.at(operator.object().get(), "spec", "RuntimeId"))
                    .isEqualTo(run.plan().runId());
            operator.status(Map.of("phase", "Running", "state", "Running"));
            CustomResourceExecutorTest.awaitEvent(run, JobEvent.Type.JOB_RUNNING, "job mnist is running");
            operator.pod("master", 0);
            CustomResourceExecutorTest.awaitEvent(
                    run,
                    JobEvent.Type.REPLICA_CREATED,
                    "created " + run.plan().replica("master", 0).name());
            operator.status(Map.of("phase", "Done", "state", "Succeeded"));

            assertThat(run.await(LIMIT).phase()).isEqualTo(JobPhase.SUCCEEDED);
            assertThatThrownBy(run::suspend)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessage(
                            "job \"mnist\" cannot be suspended: a TfJob tensorflow.org/v1alpha1 has no field for it;"
                                    + " cancel() ends the job");
        }
    }

    @Test
    void an_mx_job_that_its_operator_refuses_fails_with_its_reason() throws InterruptedException {
        Job job = Job.named("mx")
                .namespace("test")
                .mxnet()
                .image("mx:1")
                .scheduler()
                .servers(1)
                .workers(1)
                .build();
        PlayedOperator operator = play(CustomResourceKind.mxJob(), job);
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, CustomResourceKind.mxJob());
                CustomResourceRun run = executor.submit(job)) {
            operator.status(
                    Map.of("phase", "Failed", "reason", "invalid job spec: dist job mode without replica type SERVER"));

            assertThat(run.await(LIMIT).message())
                    .isEqualTo("invalid job spec: dist job mode without replica type SERVER");
        }
    }

    @Test
    void a_training_job_is_scaled_by_a_request_of_its_own() throws InterruptedException {
        PlayedOperator operator = play(CustomResourceKind.trainingJob(), horovod());
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, CustomResourceKind.trainingJob());
                CustomResourceRun run = executor.submit(horovod())) {
            run.scale("worker", 4);

            assertThat(requests("ScaleOut"))
                    .singleElement()
                    .satisfies(out -> assertThat(out.getAdditionalProperties().get("spec"))
                            .hasToString("{selector={name=elastic}, toAdd={count=2}, timeout=60}"));
            operator.status(Map.of(
                    "phase",
                    "Running",
                    "targetWorkers",
                    List.of("elastic-worker-0", "elastic-worker-1", "elastic-worker-2", "elastic-worker-3")));
            CustomResourceExecutorTest.awaitEvent(run, JobEvent.Type.SCALED, "scaled worker from 2 to 4");
        }
    }

    @Test
    void a_training_job_is_not_scaled_while_another_request_is_under_way() {
        PlayedOperator operator = play(CustomResourceKind.trainingJob(), horovod());
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, CustomResourceKind.trainingJob());
                CustomResourceRun run = executor.submit(horovod())) {
            assertThat(operator.object().get()).isNotNull();
            run.scale("worker", 1);
            String name = requests("ScaleIn").get(0).getMetadata().getName();

            assertThatThrownBy(() -> run.scale("worker", 3))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("job \"elastic\" cannot be scaled while ScaleIn test/" + name
                            + " is in progress; scale it again once that has ended");
        }
    }

    @Test
    void a_worker_leaves_by_its_name() {
        PlayedOperator operator = play(CustomResourceKind.trainingJob(), horovod());
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, CustomResourceKind.trainingJob());
                CustomResourceRun run = executor.submit(horovod())) {
            assertThat(operator.object().get()).isNotNull();
            ScaleRequest first = ScaleRequest.in("elastic", List.of("elastic-worker-0"));
            assertThatThrownBy(() -> run.scale(first))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the request must be for job test/elastic, was for default/elastic; for example"
                            + " ScaleRequest.out(\"elastic\", 2).namespace(\"test\")");
            assertThatThrownBy(() -> run.scale(ScaleRequest.in("elastic", 2).namespace("test")))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> run.scale(ScaleRequest.out("elastic", 7).namespace("test")))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(requests("ScaleIn")).isEmpty();

            run.scale(first.namespace("test").timeout(Duration.ofMinutes(2)));

            assertThat(requests("ScaleIn"))
                    .singleElement()
                    .satisfies(in -> assertThat(in.getAdditionalProperties().get("spec"))
                            .hasToString(
                                    "{selector={name=elastic}, toDelete={podNames=[elastic-worker-0]}, timeout=120}"));
            assertThatThrownBy(() -> run.scale(ScaleRequest.out("elastic", 1).namespace("test")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("cannot be scaled while ScaleIn test/elastic-scalein-");
        }
    }

    @Test
    void only_a_training_job_has_scale_requests() {
        Job job = Job.named("mx")
                .namespace("test")
                .mxnet()
                .image("mx:1")
                .scheduler()
                .servers(1)
                .workers(2)
                .build();
        play(CustomResourceKind.mxJob(), job);
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, CustomResourceKind.mxJob());
                CustomResourceRun run = executor.submit(job)) {
            assertThatThrownBy(() -> run.scale(ScaleRequest.out("mx", 1).namespace("test")))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("which has no ScaleIn and ScaleOut; for example scale(\"worker\", 4)");
        }
    }

    @Test
    void a_request_that_et_operator_rejects_is_reported() throws InterruptedException {
        PlayedOperator operator = play(CustomResourceKind.trainingJob(), horovod());
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, CustomResourceKind.trainingJob());
                CustomResourceRun run = executor.submit(horovod())) {
            String why = "scaleout job ScaleOut:test/more execution timeout";
            operator.status(Map.of(
                    "phase",
                    "Running",
                    "conditions",
                    List.of(Map.of("type", "ScaleFailed", "status", "True", "message", why))));

            CustomResourceExecutorTest.awaitEvent(run, JobEvent.Type.JOB_MESSAGE, why);
        }
    }

    @Test
    void settings_replaced_by_an_elastic_py_torch_plan_are_reported() {
        Job job = Job.named("torch")
                .pytorch()
                .image("torch:1")
                .workers(2)
                .elastic(1, 4)
                .env("PET_MAX_RESTARTS", "3")
                .env("TORCH_DISABLE_SHARE_RDZV_TCP_STORE", "0")
                .success(SuccessPolicy.LEADER)
                .build();
        try (CustomResourceExecutor executor =
                CustomResourceExecutor.using(client, CustomResourceKind.kubeflowPyTorchJob())) {
            ResourceWriteResult result = executor.write(job);

            assertThat(result.losses())
                    .extracting(ConversionLoss::toString)
                    .endsWith(
                            "worker.env.PET_MAX_RESTARTS = 3: the operator sets it",
                            "worker.env.TORCH_DISABLE_SHARE_RDZV_TCP_STORE = 0: the plan sets it, because a node that"
                                    + " joins later would otherwise hang");
            assertThat(result.toYaml()).doesNotContain("PET_MAX_RESTARTS");
        }
    }

    @Test
    void an_elastic_py_torch_job_sets_the_plans_missing_settings() {
        Job job = Job.named("torch")
                .pytorch()
                .image("torch:1")
                .workers(2)
                .elastic(1, 4)
                .env("SEED", "1")
                .build();
        try (CustomResourceExecutor executor =
                CustomResourceExecutor.using(client, CustomResourceKind.kubeflowPyTorchJob())) {
            String yaml = executor.write(job).toYaml();

            assertThat(yaml).contains("""
                elasticPolicy:
                  minReplicas: 1
                  maxReplicas: 4
                  rdzvBackend: c10d
                  maxRestarts: 100
                """.indent(2), """
                                - name: SEED
                                  value: "1"
                                - name: TORCH_DISABLE_SHARE_RDZV_TCP_STORE
                                  value: "1"
                                """.indent(16));
        }
    }

    // 4294967297 is 1 in the lower 32 bits. A definition without formats lets the API server store it.
    @Test
    void a_number_of_replicas_beyond_32_bits_is_none() {
        CustomObject object = CustomObject.fromYaml("spec: {tfReplicaSpecs: {Worker: {replicas: 4294967297}},"
                + " etReplicaSpecs: {worker: {replicas: 4294967297}}}");

        assertThat(new ReplicasFieldResize("tfReplicaSpecs").wanted(object, RoleType.WORKER))
                .isEmpty();
        assertThat(new ScaleObjectResize().wanted(object, RoleType.WORKER)).isEmpty();
    }
}
