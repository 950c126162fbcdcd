package dev.edl.operators.crd.kubeflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.k8s.render.PodOptions;
import dev.edl.operators.crd.ConversionLoss;
import dev.edl.operators.crd.Golden;
import dev.edl.operators.crd.JobReadResult;
import dev.edl.operators.crd.ResourceWriteResult;
import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.ExitCodePolicy;
import dev.edl.spec.RestartPolicy;
import dev.edl.spec.RoleType;
import dev.edl.spec.SuccessPolicy;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class OtherKindsTest {
    private static final Job PYTORCH = Job.named("resnet")
            .namespace("vision")
            .pytorch()
            .label("team", "vision")
            .cleanup(CleanupPolicy.NONE)
            .ttl(Duration.ofHours(1))
            .deadline(Duration.ofHours(2))
            .master(master -> master.image("resnet:1")
                    .command("torchrun", "train.py")
                    .cpu(0.5)
                    .gpu(1)
                    .port(29500)
                    .exitCodes(ExitCodePolicy.KUBEFLOW))
            .workers(
                    4,
                    worker -> worker.elastic(1, 8)
                            .image("resnet:1")
                            .env("LOGLEVEL", "DEBUG")
                            .priority("low")
                            .restart(RestartPolicy.NEVER))
            .build();

    private static final Job MXNET = Job.named("cifar")
            .mxnet()
            .cleanup(CleanupPolicy.ALL)
            .scheduler(scheduler -> scheduler.image("mxnet:1").restart(RestartPolicy.NEVER))
            .servers(2, server -> server.image("mxnet:1"))
            .workers(
                    3,
                    worker -> worker.image("mxnet:1")
                            .args("train_cifar10.py", "--kv-store=dist_device_sync")
                            .restart(RestartPolicy.ALWAYS)
                            .volume("mount_path=/data,claim_name=cifar"))
            .build();

    private static final Job HOROVOD = Job.named("hvd")
            .horovod()
            .launcher(launcher -> launcher.image("hvd:1").command("mpirun", "python", "train.py"))
            .workers(2, worker -> worker.image("hvd:1").restart(RestartPolicy.NEVER))
            .build();

    @Test
    void an_elastic_PyTorchJob_is_written_to_the_byte_and_read_again() {
        ResourceWriteResult result = PyTorchJobs.write(PYTORCH);

        assertThat(result.toYaml()).isEqualTo(Golden.file("pytorchjob_elastic.yaml"));
        assertThat(result.losses()).isEmpty();
        assertThat(PyTorchJobs.read(result.toYaml()))
                .isEqualTo(new JobReadResult(PYTORCH, PodOptions.none(), List.of()));
    }

    @Test
    void an_MXJob_is_written_to_the_byte_and_read_again() {
        ResourceWriteResult result = KubeflowMxJobs.write(MXNET);

        assertThat(result.toYaml()).isEqualTo(Golden.file("mxjob_v1.yaml"));
        assertThat(result.losses()).isEmpty();
        assertThat(KubeflowMxJobs.read(result.toYaml()))
                .isEqualTo(new JobReadResult(MXNET, PodOptions.none(), List.of()));
    }

    @ParameterizedTest
    @EnumSource
    void an_MPIJob_is_written_to_the_byte_and_read_again(MpiJobVersion version) {
        ResourceWriteResult result = MpiJobs.write(HOROVOD, version);

        assertThat(result.toYaml())
                .isEqualTo(Golden.file("mpijob_v2beta1.yaml").replace("kubeflow.org/v2beta1", version.apiVersion()));
        assertThat(result.losses()).isEmpty();
        assertThat(MpiJobs.read(result.toYaml())).isEqualTo(new JobReadResult(HOROVOD, PodOptions.none(), List.of()));
    }

    @Test
    void the_end_of_an_elastic_PyTorchJob_without_master_is_a_loss() {
        Job job = PYTORCH.toBuilder().build();
        Job workers = Job.named("w")
                .pytorch()
                .workers(2, worker -> worker.image("a:1").elastic(1, 3))
                .build();

        assertThat(PyTorchJobs.write(job).losses()).isEmpty();
        assertThat(PyTorchJobs.write(workers).losses())
                .extracting(ConversionLoss::toString)
                .containsExactly("success = all-workers: without a Master, an elastic job has succeeded with any of its"
                        + " workers");
    }

    @Test
    void the_rest_of_an_elastic_policy_is_reported() {
        JobReadResult result = PyTorchJobs.read("""
                apiVersion: kubeflow.org/v1
                kind: PyTorchJob
                metadata: {name: imagenet}
                spec:
                  nprocPerNode: "4"
                  elasticPolicy: {rdzvBackend: etcd, maxReplicas: 3, maxRestarts: 100}
                  pytorchReplicaSpecs:
                    Worker:
                      replicas: 3
                      template: {spec: {containers: [{name: pytorch, image: "a:1"}]}}
                """);

        assertThat(result.job())
                .isEqualTo(Job.named("imagenet")
                        .pytorch()
                        .cleanup(CleanupPolicy.NONE)
                        .workers(3, worker -> worker.image("a:1").elastic(3, 3))
                        .build());
        assertThat(result.losses())
                .extracting(ConversionLoss::toString)
                .containsExactly(
                        "spec.nprocPerNode = 4: a job has no setting for the processes of a replica; a plan does, by"
                                + " PyTorchEnv.processes",
                        "spec.elasticPolicy = 3..3: without a Master, an elastic job has succeeded with any of its"
                                + " workers, a job of EDL with all",
                        "spec.elasticPolicy.rdzvBackend = etcd: a job meets by c10d",
                        "spec.elasticPolicy.maxRestarts = 100: a job has no limit of process restarts; a plan does, by"
                                + " PyTorchEnv.maxRestarts");
    }

    @Test
    void an_elastic_policy_reports_only_mistakes_of_its_workers() {
        String worker = "Worker: {replicas: 3, template: {spec: {containers: [{name: pytorch, image: \"a:1\"}]}}}";
        String yaml = """
                apiVersion: kubeflow.org/v1
                kind: PyTorchJob
                metadata: {name: imagenet}
                spec:
                  elasticPolicy: {minReplicas: 2, maxReplicas: 4}
                  pytorchReplicaSpecs:
                    Master: {template: {spec: {containers: [{name: pytorch, image: "a:1"}]}}}
                    %s
                """;

        assertThat(PyTorchJobs.read(yaml.formatted(worker)).losses()).isEmpty();
        assertThatThrownBy(() -> PyTorchJobs.read(yaml.formatted(worker.replace("replicas: 3", "replicas: 0"))))
                .hasMessage(
                        "PyTorchJob \"imagenet\": spec.elasticPolicy needs workers, and the role Worker has 0 replicas");
        assertThatThrownBy(() -> PyTorchJobs.read(yaml.formatted(worker.replace("name: pytorch", "name: torch"))))
                .hasMessage(
                        "PyTorchJob \"imagenet\": spec.pytorchReplicaSpecs.Worker.template must have a container named"
                                + " pytorch, has \"torch\"");
        assertThatThrownBy(() -> PyTorchJobs.read(yaml.formatted("")))
                .hasMessage("PyTorchJob \"imagenet\": spec.elasticPolicy needs the role Worker, which is missing");
    }

    // kubeflow/trainer #2277: PET_NNODES of v1.8.1 and v1.9.0 is minReplicas:maxReplicas as it stands, the Master a
    // node like others
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "minReplicas: 2, maxReplicas: 9|1..8|",
                "minReplicas: 4, maxReplicas: 4|3..3|",
                "minReplicas: 4|3..3|",
                "maxReplicas: 4|3..3|",
                "maxRestarts: 100|2..3|3..3: 3..4",
                "minReplicas: 1, maxReplicas: 8|1..7|1..8: 2..8",
                "minReplicas: 1, maxReplicas: 3|1..3|1..3: 2..4",
            })
    void bounds_beside_a_Master_are_those_of_nodes(String policy, String workers, @Nullable String loss) {
        JobReadResult result = PyTorchJobs.read("""
                apiVersion: kubeflow.org/v1
                kind: PyTorchJob
                metadata: {name: both}
                spec:
                  elasticPolicy: {POLICY}
                  pytorchReplicaSpecs:
                    Master: {replicas: 1, template: {spec: {containers: [{name: pytorch, image: "a:1"}]}}}
                    Worker: {replicas: 3, template: {spec: {containers: [{name: pytorch, image: "a:1"}]}}}
                """.replace("POLICY", policy));
        String[] said = loss == null ? new String[0] : loss.split(": ");

        assertThat(result.job().role(RoleType.WORKER).orElseThrow().elastic()).hasToString("Optional[" + workers + "]");
        assertThat(result.losses())
                .filteredOn(one -> one.path().equals("spec.elasticPolicy"))
                .extracting(ConversionLoss::toString)
                .isEqualTo(
                        said.length == 0
                                ? List.of()
                                : List.of("spec.elasticPolicy = " + said[0]
                                        + ": the operator takes them as nodes, of which"
                                        + " the Master is one; with its Master and 3 workers a job has " + said[1]));
    }

    @Test
    void an_MXJob_of_the_operator_before_has_its_policy_in_the_spec() {
        String yaml = Golden.file("mxjob_v1.yaml")
                .replace("  runPolicy:\n    cleanPodPolicy: All\n", "  cleanPodPolicy: All\n");

        assertThat(KubeflowMxJobs.read(yaml)).isEqualTo(new JobReadResult(MXNET, PodOptions.none(), List.of()));
    }

    @Test
    void a_policy_in_two_places_is_refused_when_the_two_differ() {
        String yaml = Golden.file("mxjob_v1.yaml").replace("  runPolicy:", "  cleanPodPolicy: Running\n  runPolicy:");

        assertThatThrownBy(() -> KubeflowMxJobs.read(yaml))
                .hasMessage(
                        "MXJob \"cifar\": spec.cleanPodPolicy is also set in runPolicy, to another value; set it only"
                                + " there");
    }

    @Test
    void a_role_of_an_MPIJob_that_always_restarts_is_refused_as_its_operator_does() {
        String yaml = Golden.file("mpijob_v2beta1.yaml").replace("restartPolicy: OnFailure", "restartPolicy: Always");

        assertThatThrownBy(() -> MpiJobs.read(yaml))
                .hasMessage(
                        "MPIJob \"hvd\": spec.mpiReplicaSpecs.Launcher.restartPolicy must be one of Never, OnFailure, was"
                                + " \"Always\"");
    }

    @Test
    void a_role_that_is_null_is_refused() {
        String yaml = Golden.file("mpijob_v2beta1.yaml").replaceFirst("(?s)    Worker:\n.*", "    Worker:\n");

        assertThatThrownBy(() -> MpiJobs.read(yaml))
                .hasMessage(
                        "MPIJob \"hvd\": spec.mpiReplicaSpecs.Worker must be a map, was null; for example {replicas: 2,"
                                + " template: …}");
    }

    // E.B 9: a role of no replicas had succeeded before anything ran
    @Test
    void an_MXJob_without_a_role_that_can_end_it_is_refused() {
        String yaml = Golden.file("mxjob_v1.yaml").replace("replicas: 3", "replicas: 0");

        assertThatThrownBy(() -> KubeflowMxJobs.read(yaml))
                .hasMessage("MXJob \"cifar\" as a job: success needs workers that can succeed; add .workers(4)");
    }

    @Test
    void an_MXJob_that_tunes_is_refused() {
        String yaml = Golden.file("mxjob_v1.yaml").replace("MXTrain", "MXTune").replace("Server:", "TunerServer:");

        assertThatThrownBy(() -> KubeflowMxJobs.read(yaml))
                .hasMessage("MXJob \"cifar\": spec.jobMode must be MXTrain, as a job only trains, was \"MXTune\"");
    }

    @Test
    void the_main_container_of_an_MPIJob_is_the_one_it_names() {
        JobReadResult result = MpiJobs.read("""
                apiVersion: kubeflow.org/v1
                kind: MPIJob
                metadata: {name: hvd}
                spec:
                  mainContainer: train
                  slotsPerWorker: 2
                  mpiReplicaSpecs:
                    Launcher:
                      template: {spec: {containers: [{name: log, image: "l:1"}, {name: train, image: "a:1"}]}}
                    Worker:
                      template: {spec: {containers: [{name: train, image: "a:1"}]}}
                """);

        assertThat(result.job())
                .isEqualTo(Job.named("hvd")
                        .horovod()
                        .cleanup(CleanupPolicy.NONE)
                        .launcher(launcher -> launcher.image("a:1").restart(RestartPolicy.NEVER))
                        .workers(1, worker -> worker.image("a:1").restart(RestartPolicy.NEVER))
                        .build());
        assertThat(result.losses())
                .extracting(ConversionLoss::path)
                .containsExactly("spec.slotsPerWorker", "spec.mainContainer");
    }

    @Test
    void the_MPI_operator_restarts_never_or_on_failure() {
        Job job = HOROVOD.toBuilder()
                .launcher()
                .restart(RestartPolicy.ALWAYS)
                .port(9000)
                .success(SuccessPolicy.ALL_WORKERS)
                .build();

        assertThat(MpiJobs.write(job, MpiJobVersion.V2BETA1).losses())
                .extracting(ConversionLoss::toString)
                .containsExactly(
                        "success = all-workers: the Launcher's end is the job's",
                        "launcher.restart = always: the operator restarts never or on failure",
                        "launcher.port = 9000: the roles of this kind have no port");
    }
}
