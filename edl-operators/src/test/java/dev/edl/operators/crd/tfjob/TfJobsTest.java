package dev.edl.operators.crd.tfjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.k8s.render.Manifests;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.operators.crd.ConversionLoss;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.Golden;
import dev.edl.operators.crd.InvalidResourceException;
import dev.edl.operators.crd.JobReadResult;
import dev.edl.operators.crd.ResourceWriteResult;
import dev.edl.plan.Profile;
import dev.edl.plan.RolePlan;
import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.Priority;
import dev.edl.spec.RestartPolicy;
import dev.edl.spec.RoleType;
import dev.edl.spec.SuccessPolicy;
import dev.edl.spec.Volume;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TfJobsTest {
    private static final String IMAGE = "gcr.io/tf-on-k8s-dogfood/tf_sample:dc944ff";

    /** The example of the TensorFlow operator's README. */
    private static JobBuilder example() {
        return Job.named("example-job")
                .tensorflow()
                .cleanup(CleanupPolicy.NONE)
                .master(master -> master.image(IMAGE))
                .workers(1, worker -> worker.image(IMAGE))
                .ps(2, ps -> {});
    }

    @Test
    void the_example_of_the_operator_is_read_without_a_loss() {
        JobReadResult reading = TfJobs.read(Golden.file("tf_job.yaml"));

        assertThat(reading.job()).isEqualTo(example().build());
        assertThat(reading.losses()).isEmpty();
    }

    @Test
    void the_example_is_written_to_the_byte() {
        ResourceWriteResult written = TfJobs.write(example().runId("76no").build());

        assertThat(written.toYaml()).isEqualTo(Golden.file("tf_job_written.yaml"));
        assertThat(written.losses()).isEmpty();
    }

    @Test
    void what_the_operator_made_of_the_example_is_read_as_the_same_job() {
        JobReadResult reading = TfJobs.read(Golden.file("tf_job_done.yaml"));

        assertThat(reading.job()).isEqualTo(example().runId("76no").build());
        assertThat(reading.losses())
                .extracting(ConversionLoss::path)
                .containsExactly(
                        "metadata.uid",
                        "metadata.resourceVersion",
                        "metadata.generation",
                        "metadata.creationTimestamp",
                        "metadata.selfLink",
                        "status");
        assertThat(reading.options().tensorBoard().orElseThrow())
                .hasToString("TensorBoard of /tmp/tensorflow (ClusterIP)");
    }

    @Test
    void changes_to_the_operators_servers_are_reported() {
        String yaml = Golden.file("tf_job_done.yaml")
                .replace(
                        "            name: ps-config-volume\n",
                        "            name: ps-config-volume\n        nodeName: n\n");

        assertThat(TfJobs.read(yaml).losses())
                .extracting(ConversionLoss::path)
                .contains("spec.replicaSpecs[2].template");
    }

    @Test
    void the_TensorBoard_of_the_README_on_Azure_is_read_and_written_again() {
        CustomObject given = CustomObject.fromYaml("""
                apiVersion: tensorflow.org/v1alpha1
                kind: TfJob
                metadata: {name: tf-smoke-gpu, namespace: default}
                spec:
                  replicaSpecs:
                    - replicas: 1
                      tfReplicaType: MASTER
                      template:
                        spec:
                          containers:
                            - {image: "gcr.io/tf-on-k8s-dogfood/tf_sample_gpu:latest", name: tensorflow}
                          restartPolicy: OnFailure
                  tensorboard:
                    logDir: /tmp/tensorflow
                    serviceType: LoadBalancer
                    volumes:
                      - name: azurefile
                        azureFile: {secretName: azure-secret, shareName: data, readOnly: false}
                    volumeMounts:
                      - {mountPath: /tmp/tensorflow, name: azurefile}
                """);

        JobReadResult reading = TfJobs.read(given);

        assertThat(reading.losses()).isEmpty();
        assertThat(TfJobs.write(reading.job(), reading.options()).resource()).isEqualTo(given);
        assertThat(Manifests.of(reading.job().plan(Profile.TFJOB_V1ALPHA1), reading.options())
                        .toString())
                .contains("tf-smoke-gpu-tensorboard");
    }

    @Test
    void a_TensorBoard_without_a_directory_or_volume_is_refused() {
        assertThatThrownBy(() -> TfJobs.read(withReplicas("- " + POD) + "  tensorboard: {serviceType: LoadBalancer}\n"))
                .hasMessage("TfJob \"x\": spec.tensorboard: tbReplicaSpec.LogDir must be specified");
        assertThatThrownBy(() -> TfJobs.read(withReplicas("- " + POD)
                        + "  tensorboard: {logDir: /l, volumeMounts: [{name: v, mountPath: /l}]}\n"))
                .hasMessage(
                        "TfJob \"x\": spec.tensorboard.volumeMounts[0].name must be one of the volumes, which are []");
        assertThatThrownBy(() -> TfJobs.read(withReplicas("- " + POD)
                        + "  tensorboard: {logDir: /l, serviceType: Public, volumes: [{nam: v}]}\n"))
                .hasMessage("TfJob \"x\": spec.tensorboard.volumes[0].nam: unknown key; did you mean \"name\"?\n"
                        + "TfJob \"x\": spec.tensorboard: TensorBoard's service type must be ClusterIP, NodePort or"
                        + " LoadBalancer, was \"Public\"");
    }

    @ParameterizedTest
    @CsvSource({
        "MLKUBE, mlkube.io/v1beta1, TfJob",
        "SHORT_NAMES, tensorflow.org/v1alpha1, TfJob",
        "TENSORFLOW, tensorflow.org/v1alpha1, TfJob",
        "RENAMED, tensorflow.org/v1alpha1, TFJob",
        "KUBEFLOW, kubeflow.org/v1alpha1, TFJob"
    })
    void each_generation_has_its_group_and_kind(TfJobRelease release, String apiVersion, String kind) {
        ResourceWriteResult written =
                TfJobs.write(example().build().toBuilder().ps().image("ps:1").build(), release);

        assertThat(written.resource().apiVersion()).isEqualTo(apiVersion);
        assertThat(written.resource().kind()).isEqualTo(kind);
    }

    @ParameterizedTest
    @EnumSource
    void a_job_that_uses_all_that_a_TfJob_can_say_is_read_as_it_was_written(TfJobRelease release) {
        Job job = Job.named("all")
                .namespace("team-a")
                .tensorflow()
                .runId("r1")
                .label("team", "vision")
                .annotation("example.com/note", "a: b")
                .cleanup(release == TfJobRelease.KUBEFLOW ? CleanupPolicy.ALL : CleanupPolicy.NONE)
                .master(master -> master.image("a:1")
                        .command("python", "train.py")
                        .args("--steps", "1_000")
                        .env("B", "yes")
                        .env("A", "")
                        .port(2000)
                        .priority("high"))
                .ps(
                        2,
                        ps -> ps.image("a:1")
                                .restart(RestartPolicy.ALWAYS)
                                .request("cpu=0.5,memory=2048Mi")
                                .limit("cpu=2"))
                .workers(
                        3,
                        worker -> worker.image("a:2")
                                .restart(RestartPolicy.NEVER)
                                .gpu(1)
                                .volume(Volume.claim("data", "/data").subPath("mnist"))
                                .volume(Volume.claim("data", "/more").readOnly(true))
                                .volume(Volume.hostPath("/mnt/x", "/cache").type("Directory")))
                .build();

        ResourceWriteResult written = TfJobs.write(job, release);
        JobReadResult reading = TfJobs.read(written.toYaml());

        assertThat(written.losses()).isEmpty();
        assertThat(reading.losses()).isEmpty();
        assertThat(reading.job()).isEqualTo(job);
    }

    @Test
    void a_job_that_worker_0_ends_has_it_as_its_chief() {
        Job job = Job.named("led")
                .tensorflow()
                .cleanup(CleanupPolicy.NONE)
                .success(SuccessPolicy.LEADER)
                .workers(2, worker -> worker.image("a:1"))
                .build();

        ResourceWriteResult written = TfJobs.write(job);

        assertThat(written.losses()).isEmpty();
        assertThat(written.toYaml())
                .contains("  terminationPolicy:\n    chief:\n      replicaName: WORKER\n      replicaIndex: 0\n");
        assertThat(TfJobs.read(written.toYaml())).isEqualTo(new JobReadResult(job, PodOptions.none(), List.of()));
    }

    @Test
    void losses_of_a_TfJob_are_reported() {
        ResourceWriteResult written = TfJobs.write(Job.named("much")
                .tensorflow()
                .image("a:1")
                .env("TF_CONFIG", "{}")
                .ttl(Duration.ofHours(1))
                .deadline(Duration.ofHours(2))
                .backoff(Duration.ofSeconds(1), Duration.ofSeconds(2))
                .master(master -> {})
                .workers(
                        4,
                        worker -> worker.elastic(1, 8)
                                .priority(Priority.fraction(0.5))
                                .relaunchLimit(3))
                .success(SuccessPolicy.ALL_WORKERS)
                .build());

        assertThat(written.losses())
                .extracting(ConversionLoss::toString)
                .containsExactly(
                        "master.env.TF_CONFIG = {}: the operator sets it",
                        "worker.env.TF_CONFIG = {}: the operator sets it",
                        "worker.priority = 0.5: one template is for all replicas of the role, so that all have one class",
                        "worker.elastic = 1..8: a TfJob has a fixed number of replicas",
                        "worker.relaunchLimit = 3: the node restarts a container without a limit",
                        "success = all-workers: the MASTER's end is the job's",
                        "cleanup = running: this operator removes nothing at the end",
                        "ttl = PT1H: a TfJob has no time limits",
                        "deadline = PT2H: a TfJob has no time limits",
                        "backoff = Backoff[initial=PT1S, factor=2.0, max=PT2S]: the node waits before it restarts a"
                                + " container, from 10 s, doubling, up to 5 min");
    }

    @Test
    void a_job_that_cannot_be_written_at_all_is_refused_with_every_reason() {
        Job job = Job.named("no")
                .tensorflow()
                .workers(1, worker -> {})
                .evaluator()
                .image("a:1")
                .build();

        assertThatThrownBy(() -> TfJobs.write(job, TfJobRelease.SHORT_NAMES))
                .isInstanceOfSatisfying(
                        InvalidResourceException.class,
                        e -> assertThat(e.problems())
                                .containsExactly(
                                        "TfJob \"no\": worker.image is missing, which a pod needs; for example"
                                                + " image(\"registry.example/acme/mnist:1\")",
                                        "TfJob \"no\": evaluator cannot be written; the roles of a TfJob are master,"
                                                + " ps and worker",
                                        "TfJob \"no\": master is missing, without which this operator sees no job"
                                                + " end; add .master()"));
    }

    @Test
    void a_job_of_another_framework_is_refused() {
        Job job = Job.named("no").mxnet().workers(1).build();

        assertThatThrownBy(() -> TfJobs.write(job))
                .hasMessage("TfJob \"no\": framework must be tensorflow, was mxnet; for example .tensorflow()");
    }

    @Test
    void the_READMEs_wrong_key_is_read_unless_the_right_one_exists() {
        String right = Golden.file("tf_job.yaml");

        assertThat(TfJobs.read(right.replace("replicaSpecs:", "replica_specs:")).job())
                .isEqualTo(TfJobs.read(right).job());
        assertThatThrownBy(() -> TfJobs.read(right + "  replica_specs: []\n"))
                .isInstanceOfSatisfying(
                        InvalidResourceException.class,
                        e -> assertThat(e.problems())
                                .containsExactly("TfJob \"example-job\": spec.replica_specs: unknown key; did you mean"
                                        + " \"replicaSpecs\"?"));
    }

    @Test
    void the_GPU_of_old_clusters_is_read_under_its_name_of_today() {
        JobReadResult reading = TfJobs.read("""
                apiVersion: tensorflow.org/v1alpha1
                kind: TfJob
                metadata:
                  name: tf-smoke-gpu
                spec:
                  replicaSpecs:
                    - replicas: 1
                      tfPort: 2222
                      tfReplicaType: MASTER
                      template:
                        spec:
                          containers:
                            - image: gcr.io/tf-on-k8s-dogfood/tf_sample_gpu:latest
                              name: tensorflow
                              resources:
                                limits:
                                  alpha.kubernetes.io/nvidia-gpu: 1
                          restartPolicy: OnFailure
                """);

        assertThat(reading.job())
                .isEqualTo(Job.named("tf-smoke-gpu")
                        .tensorflow()
                        .cleanup(CleanupPolicy.NONE)
                        .master(master -> master.image("gcr.io/tf-on-k8s-dogfood/tf_sample_gpu:latest")
                                .gpu(1))
                        .build());
        assertThat(reading.losses())
                .extracting(ConversionLoss::toString)
                .containsExactly("spec.replicaSpecs[0].template.spec.containers[0].resources.limits."
                        + "alpha.kubernetes.io/nvidia-gpu = 1: it is read as nvidia.com/gpu, its name since Kubernetes"
                        + " 1.10");
    }

    private static String withReplicas(String replicas) {
        return "apiVersion: tensorflow.org/v1alpha1\nkind: TfJob\nmetadata: {name: x}\nspec:\n  replicaSpecs:\n"
                + replicas.indent(4);
    }

    private static final String POD =
            "template: {spec: {restartPolicy: OnFailure, containers: [{name: tensorflow," + " image: \"a:1\"}]}}";

    //
    @Test
    void a_01_a_replica_without_type_port_and_count_is_the_master_on_2222() {
        Job job = TfJobs.read(withReplicas("- " + POD)).job();

        assertThat(job)
                .isEqualTo(Job.named("x")
                        .tensorflow()
                        .cleanup(CleanupPolicy.NONE)
                        .master(master -> master.image("a:1"))
                        .build());
        assertThat(job.plan(Profile.TFJOB_V1ALPHA1).roles())
                .extracting(RolePlan::type, RolePlan::port, RolePlan::replicas)
                .containsExactly(tuple(RoleType.MASTER, 2222, 1));
    }

    // only what is absent, or null, has a default
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "- {tfReplicaType: null, tfPort: null, replicas: null, POD}|master|2222|1",
                "- {tfReplicaType: \"\", POD}|master|2222|1",
                "- {tfReplicaType: MASTER, tfPort: 3333, POD}|master|3333|1",
                "- {POD} / - {tfReplicaType: WORKER, POD}|worker|2222|1",
                "- {POD} / - {tfReplicaType: WORKER, tfPort: 40, replicas: 3, POD}|worker|40|3",
                "- {POD} / - {tfReplicaType: PS}|ps|2222|1",
            })
    void a_01_each_default_stands_alone(String replicas, String role, int port, int count) {
        RolePlan plan = TfJobs.read(withReplicas(replicas.replace(" / ", "\n").replace("POD", POD)))
                .job()
                .plan(Profile.TFJOB_V1ALPHA1)
                .role(role);

        assertThat(plan.port()).isEqualTo(port);
        assertThat(plan.replicas()).isEqualTo(count);
    }

    // without a template and, as the operator has written it down, with its own one
    @ParameterizedTest
    @ValueSource(strings = {"{tfReplicaType: PS}", "{tfReplicaType: PS, IsDefaultPS: true, POD}"})
    void a_02_a_ps_without_a_template_gets_the_default_one_with_the_image_of_the_job(String ps) {
        JobReadResult reading =
                TfJobs.read(withReplicas("- {POD}\n- PS".replace("PS", ps).replace("POD", POD))
                        + "  tfImage: tensorflow/tensorflow:1.4.0\n");

        PodSpec pod = PodTemplates.of(reading.job().plan(Profile.TFJOB_V1ALPHA1), reading.options())
                .get("ps", 0)
                .getSpec();

        Container server = pod.getContainers().get(0);
        assertThat(server.getName()).isEqualTo("tensorflow");
        assertThat(server.getImage()).isEqualTo("tensorflow/tensorflow:1.4.0");
        assertThat(server.getVolumeMounts())
                .extracting(VolumeMount::getName, VolumeMount::getMountPath)
                .containsExactly(tuple("ps-config-volume", "/ps-server"));
        assertThat(pod.getRestartPolicy()).isEqualTo("OnFailure");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "- {tfReplicaType: WORKER}|spec.replicaSpecs[0]: Replica is missing Template;"
                        + " {\"tfReplicaType\":\"WORKER\"}",
                "- {replicas: 2, POD}|spec.replicaSpecs[0]: The MASTER must have Replicas = 1",
                "- {tfReplicaType: CHIEF, POD}|spec.replicaSpecs[0]: tfReplicaSpec.TfReplicaType is CHIEF but must be"
                        + " one of [MASTER PS WORKER]",
                "- {template: {spec: {containers: [{name: tf}]}}}|spec.replicaSpecs[0]: Replica type MASTER is missing"
                        + " a container named tensorflow",
            })
    void what_the_operator_refuses_is_refused_in_its_words(String replicas, String message) {
        assertThatThrownBy(() -> TfJobs.read(withReplicas(replicas.replace("POD", POD))))
                .isInstanceOf(InvalidResourceException.class)
                .hasMessageStartingWith("TfJob \"x\": " + message);
    }

    @Test
    void a_resource_of_another_kind_is_refused() {
        assertThatThrownBy(() -> TfJobs.read("apiVersion: kubeflow.org/v1\nkind: TFJob\nmetadata: {name: x}\n"))
                .hasMessage("TFJob \"x\": apiVersion and kind must be those of a TfJob, for example"
                        + " tensorflow.org/v1alpha1 and TfJob, were \"kubeflow.org/v1\" and \"TFJob\", which"
                        + " KubeflowTfJobs reads");
        assertThatThrownBy(() -> TfJobs.read("apiVersion: 1\nmetadata: {name: x}\n"))
                .hasMessage("resource \"x\": apiVersion and kind must be those of a TfJob, for example"
                        + " tensorflow.org/v1alpha1 and TfJob, were 1 and missing");
    }
}
