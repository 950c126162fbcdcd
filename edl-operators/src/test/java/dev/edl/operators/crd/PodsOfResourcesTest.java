package dev.edl.operators.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.edl.Job;
import dev.edl.k8s.render.Accelerator;
import dev.edl.k8s.render.Gang;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.operators.crd.et.TrainingJobs;
import dev.edl.operators.crd.kubeflow.KubeflowTfJobs;
import dev.edl.operators.crd.kubeflow.PyTorchJobs;
import dev.edl.operators.crd.mxjob.MxJobs;
import dev.edl.operators.crd.tfjob.TfJobRelease;
import dev.edl.operators.crd.tfjob.TfJobs;
import dev.edl.plan.Profile;
import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Settings that only Kubernetes has are read as options beside the job, and written from them. */
class PodsOfResourcesTest {
    private static String tfJob(String pod) {
        return """
                apiVersion: kubeflow.org/v1
                kind: TFJob
                metadata: {name: mnist}
                spec:
                  tfReplicaSpecs:
                    Worker:
                      replicas: 2
                      restartPolicy: OnFailure
                      template: %s
                """.formatted(pod);
    }

    private static JobReadResult worker(String container) {
        return KubeflowTfJobs.read(
                tfJob("{spec: {containers: [{name: tensorflow, image: \"a:1\", " + container + "}]}}"));
    }

    private static PodTemplateSpec rendered(JobReadResult reading) {
        return PodTemplates.of(reading.job().plan(Profile.KUBEFLOW_V1), reading.options())
                .get("worker", 1);
    }

    @Test
    void a_fully_specified_pod_survives_a_round_trip() {
        CustomObject given = CustomObject.fromYaml(Golden.file("tfjob_pods.yaml"));

        JobReadResult reading = KubeflowTfJobs.read(given);
        ResourceWriteResult written = KubeflowTfJobs.write(reading.job(), reading.options());

        assertThat(reading.losses()).isEmpty();
        assertThat(written.losses()).isEmpty();
        assertThat(written.resource()).isEqualTo(given);
        JobReadResult again = KubeflowTfJobs.read(written.toYaml());
        assertThat(KubeflowTfJobs.write(again.job(), again.options()).toYaml()).isEqualTo(written.toYaml());
    }

    @Test
    void it_holds_when_EDL_makes_the_pods() {
        PodTemplateSpec pod = rendered(KubeflowTfJobs.read(Golden.file("tfjob_pods.yaml")));

        PodSpec spec = pod.getSpec();
        assertThat(pod.getMetadata().getAnnotations()).containsEntry("sidecar.istio.io/inject", "false");
        assertThat(pod.getMetadata().getLabels())
                .containsEntry("tier", "gold")
                .containsEntry("training.kubeflow.org/replica-index", "1");
        assertThat(spec.getTolerations()).extracting("key").containsExactly("nvidia.com/gpu");
        assertThat(spec.getNodeSelector()).containsEntry("disk", "ssd");
        assertThat(spec.getServiceAccountName()).isEqualTo("trainer");
        assertThat(spec.getAutomountServiceAccountToken()).isNull();
        assertThat(spec.getSecurityContext().getFsGroup()).isEqualTo(100);
        assertThat(spec.getSecurityContext().getRunAsNonRoot()).isNull();
        assertThat(spec.getContainers()).extracting(Container::getName).containsExactly("tensorflow", "log");
        assertThat(spec.getInitContainers()).extracting(Container::getName).containsExactly("fetch");
        Container container = spec.getContainers().get(0);
        assertThat(container.getCommand()).containsExactly("sh", "-c", "echo $(POD_NAME) $$(date)");
        assertThat(container.getWorkingDir()).isEqualTo("/app");
        assertThat(container.getEnv())
                .extracting(EnvVar::getName)
                .containsSubsequence("LOGLEVEL", "TF_CONFIG", "POD_NAME", "S3_KEY");
        assertThat(container.getVolumeMounts())
                .extracting(VolumeMount::getMountPath)
                .containsExactly("/data", "/dev/shm");
    }

    @Test
    void references_in_commands_survive_and_literal_text_is_escaped() {
        JobReadResult reading = worker("env: [{name: A, value: x}, {name: B, value: $(A)/b}],"
                + " command: [run, --to=$(A), $(date), $$(A), $(TF_CONFIG)], args: [$(B)]");

        assertThat(reading.job().role(RoleType.WORKER).orElseThrow().template().command())
                .containsExactly("run", "--to=$(A)", "$(date)", "$(A)", "$(TF_CONFIG)");
        assertThat(reading.losses()).isEmpty();
        ResourceWriteResult written = KubeflowTfJobs.write(reading.job(), reading.options());
        assertThat(written.toYaml())
                .contains("- \"--to=$(A)\"\n", "- \"$$(date)\"\n", "- \"$$(A)\"\n", "- \"$(TF_CONFIG)\"\n")
                .contains("- \"$(B)\"\n", "name: B\n                  value: \"$(A)/b\"\n");
        assertThat(KubeflowTfJobs.read(written.toYaml()).job()).isEqualTo(reading.job());
        assertThat(KubeflowTfJobs.write(reading.job()).toYaml()).contains("- \"--to=$$(A)\"\n");
    }

    @Test
    void a_command_that_the_user_changes_afterwards_is_not_changed_back() {
        JobReadResult reading = worker("env: [{name: A, value: x}], command: [run, $(A)]");

        Job changed = reading.job().toBuilder().workers().command("other").build();

        assertThat(KubeflowTfJobs.write(changed, reading.options()).toYaml())
                .contains("command:\n                - other\n")
                .doesNotContain("$(A)");
    }

    @Test
    void volumes_of_other_containers_keep_their_names() {
        JobReadResult reading = KubeflowTfJobs.read(tfJob("""
                {spec: {
                  containers: [
                    {name: log, image: "l:1", volumeMounts: [{name: volume-0, mountPath: /l}, {name: data, mountPath: /d}]},
                    {name: tensorflow, image: "a:1", volumeMounts: [
                      {name: data, mountPath: /data}, {name: volume-0, mountPath: /s}, {name: data, mountPath: /x, subPathExpr: a}]}],
                  volumes: [{name: volume-0, emptyDir: {}}, {name: data, persistentVolumeClaim: {claimName: c}}]}}
                """));

        assertThat(reading.losses()).isEmpty();
        PodSpec spec = rendered(reading).getSpec();
        assertThat(spec.getVolumes()).extracting("name").containsExactly("volume-0", "given-volume-0", "data");
        assertThat(spec.getContainers().get(0).getVolumeMounts())
                .extracting(VolumeMount::getName)
                .containsExactly("volume-0", "given-volume-0", "data");
        assertThat(spec.getContainers().get(1).getVolumeMounts())
                .extracting(VolumeMount::getName)
                .containsExactly("given-volume-0", "data");
    }

    @Test
    void a_role_without_replicas_has_no_options() {
        JobReadResult reading =
                KubeflowTfJobs.read(tfJob("{spec: {containers: [{name: tensorflow, image: \"a:1\"}]}}") + """
                    PS: {replicas: 0, template: {spec: {hostIPC: true, containers: [{name: tensorflow, image: "a:1"}]}}}
                """);

        assertThat(reading.options()).isSameAs(PodOptions.none());
        assertThat(reading.losses()).extracting(ConversionLoss::path).containsExactly("spec.tfReplicaSpecs.PS");
    }

    @Test
    void tolerations_of_one_operator_go_to_another() {
        JobReadResult reading = MxJobs.read("""
                apiVersion: mxnet.mlkube.io/v1beta1
                kind: MxJob
                metadata: {name: cifar}
                spec:
                  jobMode: local
                  replicaSpecs:
                    - template:
                        spec:
                          restartPolicy: OnFailure
                          tolerations: [{key: gpu, operator: Exists}]
                          containers: [{name: mxnet, image: "m:1", workingDir: /mxnet}]
                """);

        assertThat(MxJobs.write(reading.job(), reading.options()).toYaml())
                .contains("tolerations:\n            - key: gpu\n              operator: Exists\n")
                .contains("workingDir: /mxnet\n");
        assertThat(reading.losses()).isEmpty();
    }

    @Test
    void options_of_ones_own_are_written() {
        Job job = Job.named("mnist")
                .pytorch()
                .image("a:1")
                .master()
                .workers(2)
                .cpu(1)
                .build();
        PodOptions options = PodOptions.builder()
                .serviceAccount("trainer")
                .imagePullSecret("registry")
                .toleration("gpu", "NoSchedule")
                .role(
                        "worker",
                        w -> w.accelerator(Accelerator.nvidia(1).onNodes("gpu", "t4"))
                                .secretEnv("KEY", "s3", "key")
                                .memoryVolume("/dev/shm", "1Gi")
                                .hostNetwork())
                .build();

        ResourceWriteResult written = PyTorchJobs.write(job, options);

        assertThat(written.losses()).isEmpty();
        assertThat(written.toYaml()).isEqualTo(Golden.file("pytorchjob_options.yaml"));
        JobReadResult reading = PyTorchJobs.read(written.toYaml());
        assertThat(reading.losses()).isEmpty();
        assertThat(PyTorchJobs.write(reading.job(), reading.options()).toYaml()).isEqualTo(written.toYaml());
    }

    @Test
    void options_of_other_objects_than_pods_are_reported() {
        Job job =
                Job.named("mnist").horovod().image("a:1").launcher().workers(2).build();
        PodOptions options = PodOptions.builder()
                .queue("team-a")
                .gang(Gang.volcano("training"))
                .priorityClass("high", 1000)
                .role("launcher", l -> l.apiAccess("", "pods", "get", "list"))
                .build();

        assertThat(TrainingJobs.write(job, options).losses())
                .extracting(ConversionLoss::toString)
                .contains(
                        "options.queue = team-a: the operator creates its own objects; create this one separately",
                        "options.gang = volcano, queue training: the operator creates its own objects; create this one"
                                + " separately",
                        "options.priorityClass = {high=1000}: the operator creates its own objects; create this one"
                                + " separately",
                        "options.launcher.apiAccess = get,list pods: the operator creates its own objects; create this"
                                + " one separately");
    }

    @Test
    void options_of_default_servers_and_overwritten_variables_are_reported() {
        PodOptions options = PodOptions.builder()
                .role("ps", ps -> ps.nodeSelector("disk", "ssd"))
                .build();
        Job job = Job.named("x")
                .tensorflow()
                .cleanup(CleanupPolicy.NONE)
                .master(master -> master.image("a:1"))
                .ps(2, ps -> {})
                .build();

        assertThat(TfJobs.write(job, options).losses())
                .extracting(ConversionLoss::toString)
                .containsExactly("options.ps = {\"spec\":{\"containers\":[{\"name\":\"tensorflow\"}],\"nodeSelector\":"
                        + "{\"disk\":\"ssd\"}}}: the operator's own servers have no template; give them an image and"
                        + " command");
        assertThat(MxJobs.write(
                                Job.named("y")
                                        .mxnet()
                                        .cleanup(CleanupPolicy.NONE)
                                        .image("m:1")
                                        .scheduler()
                                        .servers(1)
                                        .workers(1)
                                        .build(),
                                PodOptions.builder()
                                        .role("worker", w -> w.secretEnv("KEY", "s3", "key"))
                                        .build())
                        .losses())
                .extracting(ConversionLoss::path, ConversionLoss::value)
                .containsExactly(tuple("worker.env", "KEY"));
    }

    @Test
    void modes_of_files_are_octal_as_Kubernetes_reads_them() {
        JobReadResult reading = KubeflowTfJobs.read(tfJob("""
                {spec: {containers: [{name: tensorflow, image: "a:1", volumeMounts: [{name: keys, mountPath: /keys}]}],
                  volumes: [{name: keys, secret: {secretName: keys, defaultMode: 0400}}]}}
                """));

        assertThat(rendered(reading).getSpec().getVolumes().get(0).getSecret().getDefaultMode())
                .isEqualTo(256);
    }

    @Test
    void an_image_and_a_scheduler_of_a_whole_TfJob_are_options() {
        JobReadResult reading = TfJobs.read("""
                apiVersion: kubeflow.org/v1alpha1
                kind: TFJob
                metadata: {name: x}
                spec:
                  tfImage: tensorflow/tensorflow:1.4.0
                  schedulerName: kube-batch
                  replicaSpecs:
                    - template: {spec: {restartPolicy: OnFailure, containers: [{name: tensorflow, image: "a:1"}]}}
                """);

        assertThat(reading.losses()).isEmpty();
        assertThat(reading.options().tfImage()).contains("tensorflow/tensorflow:1.4.0");
        assertThat(TfJobs.write(reading.job(), reading.options(), TfJobRelease.KUBEFLOW)
                        .toYaml())
                .contains("  tfImage: tensorflow/tensorflow:1.4.0\n", "  schedulerName: kube-batch\n")
                .doesNotContain("          schedulerName");
    }

    @Test
    void unknown_keys_in_a_pod_are_errors_with_the_nearest_key() {
        assertThatThrownBy(() -> KubeflowTfJobs.read(tfJob("""
                        {spec: {
                          tolerations: [{key: gpu, operatr: Exists}],
                          affinity: {nodeAfinity: {}},
                          securityContext: {runAsUsr: 1},
                          initContainers: [{name: i, image: "i:1", comand: [x]}],
                          volumes: [{name: v, emptyDir: {mediun: Memory}}],
                          containers: [{name: tensorflow, image: "a:1", livenessProbe: {tcpSocket: {prt: 1}},
                            env: [{name: A, valueFrom: {secretKeyReef: {}}}]}]}}
                        """)))
                .isInstanceOfSatisfying(
                        InvalidResourceException.class,
                        e -> assertThat(e.problems().stream()
                                        .map(line -> line.substring(
                                                "TFJob \"mnist\": spec.tfReplicaSpecs.Worker.template.spec.".length())))
                                .containsExactly(
                                        "tolerations[0].operatr: unknown key; did you mean \"operator\"?",
                                        "affinity.nodeAfinity: unknown key; did you mean \"nodeAffinity\"?",
                                        "securityContext.runAsUsr: unknown key; did you mean \"runAsUser\"?",
                                        "initContainers[0].comand: unknown key; did you mean \"command\"?",
                                        "volumes[0].emptyDir.mediun: unknown key; did you mean \"medium\"?",
                                        "containers[0].livenessProbe.tcpSocket.prt: unknown key; did you mean \"port\"?",
                                        "containers[0].env[0].valueFrom.secretKeyReef: unknown key; did you mean"
                                                + " \"secretKeyRef\"?"));
    }

    @Test
    void wrong_types_in_a_pod_are_errors_with_a_valid_form() {
        assertThatThrownBy(() -> KubeflowTfJobs.read(tfJob("""
                        {spec: {
                          tolerations: {key: gpu},
                          nodeSelector: {gpu: true},
                          hostNetwork: "yes",
                          securityContext: {fsGroup: users},
                          affinity: none,
                          containers: [~, {name: tensorflow, image: 1, command: run, args: [1, ~],
                            resources: {requests: {cpu: two, memory: none}, limits: [1]},
                            livenessProbe: {tcpSocket: {port: 1.5}}}]}}
                        """)))
                .isInstanceOfSatisfying(
                        InvalidResourceException.class,
                        e -> assertThat(e.problems().stream()
                                        .map(line -> line.substring(
                                                "TFJob \"mnist\": spec.tfReplicaSpecs.Worker.template.spec.".length())))
                                .containsExactly(
                                        "tolerations must be a list, was {\"key\":\"gpu\"}; for example"
                                                + " [{\"key\":\"gpu\"}]",
                                        "nodeSelector.gpu must be text, was true; for example \"true\"",
                                        "hostNetwork must be true or false, was \"yes\"; for example true",
                                        "securityContext.fsGroup must be a whole number, was \"users\"; for example 4",
                                        "affinity must be a map, was \"none\"; for example {name: value}",
                                        "containers[0] must be a map, was null; for example {name: value}",
                                        "containers[1].image must be text, was 1; for example \"1\"",
                                        "containers[1].command must be a list, was \"run\"; for example [\"run\"]",
                                        "containers[1].args[0] must be text, was 1; for example \"1\"",
                                        "containers[1].args[1] must be text, was null; for example \"null\"",
                                        "containers[1].resources.requests.cpu must be an amount, was \"two\"; for example"
                                                + " \"2\" or 2Gi",
                                        "containers[1].resources.requests.memory must be an amount, was \"none\"; for"
                                                + " example \"2\" or 2Gi",
                                        "containers[1].resources.limits must be a map, was [1]; for example {name: value}",
                                        "containers[1].livenessProbe.tcpSocket.port must be a whole number or a text, was"
                                                + " 1.5; for example 8080"));
    }

    @Test
    void amounts_are_read_in_every_form_of_Kubernetes_and_no_other() {
        assertThat(worker(
                                "resources: {limits: {cpu: 2500m, memory: 1.5Gi, ephemeral-storage: 2e9, nvidia.com/gpu: 1k}}")
                        .job()
                        .role(RoleType.WORKER)
                        .orElseThrow()
                        .template()
                        .limits()
                        .orElseThrow()
                        .amounts())
                .containsEntry("cpu", "2500m")
                .containsEntry("memory", "1536Mi")
                .containsEntry("ephemeral-storage", "2G");
        for (String wrong :
                List.of("1e999999999", "1 Gi", "Gi", "1GiB", ".", "", "1,5", "1_0", "0x10", "NaN", "1e+3Gi")) {
            assertThatThrownBy(() -> worker("resources: {limits: {cpu: \"" + wrong + "\"}}"))
                    .as(wrong)
                    .isInstanceOf(InvalidResourceException.class)
                    .hasMessage(
                            "TFJob \"mnist\": spec.tfReplicaSpecs.Worker.template.spec.containers[0].resources.limits.cpu"
                                    + " must be an amount, was \"" + wrong + "\"; for example \"2\" or 2Gi");
        }
    }
}
