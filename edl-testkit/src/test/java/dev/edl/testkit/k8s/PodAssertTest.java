package dev.edl.testkit.k8s;

import static dev.edl.testkit.k8s.PodAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.k8s.render.PodTemplates;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PodAssertTest {
    private static final String WHO = "pod of job \"mnist\", worker 2";

    private final PodTemplateSpec pod = new PodTemplateSpecBuilder()
            .withNewMetadata()
            .withLabels(Map.of(
                    "training.kubeflow.org/job-name",
                    "mnist",
                    "training.kubeflow.org/replica-type",
                    "worker",
                    "training.kubeflow.org/replica-index",
                    "2"))
            .withAnnotations(Map.of("note", "first"))
            .endMetadata()
            .withNewSpec()
            .withPriorityClassName("low")
            .withServiceAccountName("trainer")
            .withAutomountServiceAccountToken(false)
            .withSchedulerName("volcano")
            .withRestartPolicy("Never")
            .withNodeSelector(Map.of("pool", "gpu"))
            .addNewImagePullSecret("registry")
            .addNewToleration("NoSchedule", "nvidia.com/gpu", "Exists", null, null)
            .withContainers(
                    container(),
                    new ContainerBuilder().withName("logs").withImage("logs:1").build())
            .addNewInitContainer()
            .withName("fetch")
            .endInitContainer()
            .addNewVolume()
            .withName("v0")
            .withNewPersistentVolumeClaim("files", false)
            .endVolume()
            .addNewVolume()
            .withName("v1")
            .withNewHostPath("/mnt/disk", "")
            .endVolume()
            .addNewVolume()
            .withName("v2")
            .withNewSecret()
            .withSecretName("keys")
            .endSecret()
            .endVolume()
            .addNewVolume()
            .withName("v3")
            .withNewConfigMap()
            .withName("hosts")
            .endConfigMap()
            .endVolume()
            .endSpec()
            .build();

    private static Container container() {
        return new ContainerBuilder()
                .withName("tensorflow")
                .withImage("mnist:1")
                .withCommand("python", "train.py")
                .withArgs("--epochs", "5")
                .addNewPort()
                .withContainerPort(2222)
                .endPort()
                .addNewEnv()
                .withName("WORKER_ID")
                .withValue("2")
                .endEnv()
                .addNewEnv()
                .withName("TF_CONFIG")
                .withValue("{\"cluster\":{\"worker\":[\"w-0:1\"]},\"task\":{\"type\":\"worker\",\"index\":0}}")
                .endEnv()
                .addNewEnv()
                .withName("TOKEN")
                .withNewValueFrom()
                .withNewSecretKeyRef("token", "creds", false)
                .endValueFrom()
                .endEnv()
                .addNewEnv()
                .withName("HOSTS")
                .withNewValueFrom()
                .withNewConfigMapKeyRef("hostfile", "hosts", false)
                .endValueFrom()
                .endEnv()
                .withNewResources()
                .addToRequests(Map.of(
                        "cpu",
                        new Quantity("2000m"),
                        "memory",
                        new Quantity("2048Mi"),
                        "nvidia.com/gpu",
                        new Quantity("1")))
                .addToLimits(Map.of("nvidia.com/gpu", new Quantity("1")))
                .endResources()
                .addNewVolumeMount()
                .withName("v0")
                .withMountPath("/data")
                .endVolumeMount()
                .addNewVolumeMount()
                .withName("v1")
                .withMountPath("/cache")
                .endVolumeMount()
                .addNewVolumeMount()
                .withName("v2")
                .withMountPath("/keys")
                .endVolumeMount()
                .addNewVolumeMount()
                .withName("v3")
                .withMountPath("/hosts")
                .endVolumeMount()
                .build();
    }

    private static void fails(ThrowingCallable assertion, String message) {
        assertThatThrownBy(assertion).isInstanceOf(AssertionError.class).hasMessage(message);
    }

    @Test
    void assertions_that_hold_chain() {
        assertThat(pod)
                .hasLabel("training.kubeflow.org/replica-index", "2")
                .doesNotHaveLabel("app")
                .hasAnnotation("note", "first")
                .doesNotHaveAnnotation("other")
                .hasPriorityClass("low")
                .hasServiceAccount("trainer")
                .mountsNoServiceAccountToken()
                .hasScheduler("volcano")
                .hasRestartPolicy("Never")
                .hasNodeSelector("pool", "gpu")
                .hasImagePullSecret("registry")
                .tolerates("nvidia.com/gpu", "NoSchedule")
                .doesNotUseHostNetwork()
                .hasContainers("tensorflow", "logs")
                .hasImage("mnist:1")
                .hasCommand("python", "train.py")
                .hasArgs("--epochs", "5")
                .hasPort(2222)
                .hasEnv("WORKER_ID", "2")
                .hasEnvFromSecret("TOKEN", "creds", "token")
                .doesNotHaveEnv("WORKER_NUM")
                .hasRequests("cpu=2,memory=2Gi,gpu=1")
                .hasRequest("memory", "2Gi")
                .hasLimits("gpu=1")
                .hasLimit("gpu", "1")
                .mountsClaim("/data", "files")
                .mountsNothingAt("/tmp")
                .container("logs", logs -> logs.hasImage("logs:1"))
                .container("fetch", fetch -> fetch.doesNotHaveEnv("WORKER_ID"))
                .container()
                .hasCommand("python", "train.py")
                .hasArgs("--epochs", "5")
                .hasPort(2222)
                .env(
                        "WORKER_ID",
                        value -> org.assertj.core.api.Assertions.assertThat(value)
                                .hasSize(1))
                .hasEnvFromConfigMap("HOSTS", "hosts", "hostfile")
                .mountsHostPath("/cache", "/mnt/disk")
                .mountsSecret("/keys", "keys")
                .mountsConfigMap("/hosts", "hosts")
                .tfConfig()
                .hasTask("worker", 0);
        assertThat(pod).tfConfig().hasTaskTypes("worker");
    }

    @Test
    void labels_and_annotations() {
        fails(
                () -> assertThat(pod).hasLabel("training.kubeflow.org/replica-indx", "2"),
                WHO + ": expected label training.kubeflow.org/replica-indx=\"2\", but there is no"
                        + " training.kubeflow.org/replica-indx; did you mean \"training.kubeflow.org/replica-index\"?"
                        + " There are training.kubeflow.org/job-name, training.kubeflow.org/replica-index,"
                        + " training.kubeflow.org/replica-type");
        fails(
                () -> assertThat(pod).doesNotHaveLabel("training.kubeflow.org/job-name"),
                WHO + ": expected no label training.kubeflow.org/job-name, was \"mnist\"");
        fails(
                () -> assertThat(pod).hasAnnotation("note", "second"),
                WHO + ": expected annotation note=\"second\", was \"first\"");
        fails(
                () -> assertThat(pod).doesNotHaveAnnotation("note"),
                WHO + ": expected no annotation note, was \"first\"");
    }

    @Test
    void where_and_as_whom_it_runs() {
        fails(() -> assertThat(pod).hasPriorityClass("high"), WHO + ": expected priority class \"high\", was \"low\"");
        fails(() -> assertThat(pod).hasNoPriorityClass(), WHO + ": expected no priority class, was \"low\"");
        fails(
                () -> assertThat(pod).hasServiceAccount("default"),
                WHO + ": expected service account \"default\", was \"trainer\"");
        fails(() -> assertThat(pod).hasScheduler("kueue"), WHO + ": expected scheduler \"kueue\", was \"volcano\"");
        fails(
                () -> assertThat(pod).hasRestartPolicy("Always"),
                WHO + ": expected restart policy \"Always\", was \"Never\"");
        fails(
                () -> assertThat(pod).hasNodeSelector("pool", "cpu"),
                WHO + ": expected node selector pool=\"cpu\", was \"gpu\"");
        fails(
                () -> assertThat(pod).hasImagePullSecret("registri"),
                WHO + ": expected image pull secret \"registri\"; did you mean \"registry\"? There are registry");
        fails(
                () -> assertThat(pod).tolerates("nvidia.com/gpu", "NoExecute"),
                WHO + ": expected to tolerate nvidia.com/gpu:NoExecute, tolerates nvidia.com/gpu:NoSchedule");
        fails(() -> assertThat(pod).usesHostNetwork(), WHO + ": expected host network, but it has its own");
    }

    @Test
    void containers() {
        fails(
                () -> assertThat(pod).hasContainers("tensorflow"),
                WHO + ": expected containers \"tensorflow\", was \"tensorflow\", \"logs\"");
        fails(
                () -> assertThat(pod).container("log"),
                WHO + ": expected a container \"log\"; did you mean \"logs\"? There are tensorflow, logs, fetch");
        fails(
                () -> assertThat(pod).hasImage("mnist:2"),
                WHO + ", container tensorflow: expected image \"mnist:2\", was \"mnist:1\"");
        fails(
                () -> assertThat(pod).container("logs").hasCommand("cat"),
                WHO + ", container logs: expected command \"cat\", was none");
        fails(
                () -> assertThat(pod).hasArgs("--epochs"),
                WHO + ", container tensorflow: expected args \"--epochs\", was \"--epochs\", \"5\"");
        fails(() -> assertThat(pod).hasPort(1), WHO + ", container tensorflow: expected port 1, ports are 2222");
        fails(
                () -> assertThat(new PodTemplateSpec()).hasImage("mnist:1"),
                "pod without containers: expected a container, but there is none");
    }

    @Test
    void containers_of_the_start_and_sidecars() {
        PodTemplateSpec more = new PodTemplateSpecBuilder(pod)
                .editSpec()
                .addNewInitContainer()
                .withName("proxy")
                .withRestartPolicy("Always")
                .endInitContainer()
                .addNewToleration("", null, "Exists", null, null)
                .endSpec()
                .build();
        assertThat(more).hasInitContainers("fetch").hasSidecars("proxy").tolerates("any", "NoExecute");
        assertThat(pod).hasSidecars();
        fails(
                () -> assertThat(more).hasInitContainers("fetch", "proxy"),
                WHO + ": expected init containers \"fetch\", \"proxy\", was \"fetch\"");
        fails(() -> assertThat(more).hasSidecars(), WHO + ": expected sidecars none, was \"proxy\"");
        PodTemplateSpec blank = new PodTemplateSpecBuilder()
                .withNewSpec()
                .addNewToleration("NoSchedule", "", "Exists", null, null)
                .endSpec()
                .build();
        fails(
                () -> assertThat(blank).tolerates("any", "NoExecute"),
                "pod without containers: expected to tolerate any:NoExecute, tolerates *:NoSchedule");
    }

    @Test
    void variables_and_directories_of_whole_objects() {
        PodTemplateSpec more = new PodTemplateSpecBuilder(pod)
                .editSpec()
                .editFirstContainer()
                .addNewEnvFrom()
                .withNewSecretRef("creds", false)
                .endEnvFrom()
                .addNewEnvFrom()
                .withNewConfigMapRef("settings", false)
                .endEnvFrom()
                .addNewVolumeMount()
                .withName("v4")
                .withMountPath("/tmp")
                .endVolumeMount()
                .endContainer()
                .addNewVolume()
                .withName("v4")
                .withNewEmptyDir()
                .endEmptyDir()
                .endVolume()
                .endSpec()
                .build();
        assertThat(more)
                .mountsSecret("/keys", "keys")
                .mountsConfigMap("/hosts", "hosts")
                .container()
                .takesEnvOfSecret("creds")
                .takesEnvOfConfigMap("settings")
                .mountsEmptyDirectory("/tmp");
        String who = WHO + ", container tensorflow: ";
        fails(
                () -> assertThat(more).container().takesEnvOfSecret("cred"),
                who + "expected the variables of secret \"cred\"; did you mean \"creds\"? There are creds");
        fails(
                () -> assertThat(pod).container().takesEnvOfConfigMap("settings"),
                who + "expected the variables of config map \"settings\"; there are none");
        fails(
                () -> assertThat(more).container().mountsEmptyDirectory("/data"),
                who + "expected mount /data=\"empty directory\", was \"claim files\"");
        fails(
                () -> assertThat(more).mountsSecret("/hosts", "keys"),
                who + "expected mount /hosts=\"secret keys\", was \"config map hosts\"");
    }

    @Test
    void a_golden_pod_has_no_run_id_that_was_derived(@TempDir Path directory) throws IOException {
        Job job = Job.named("mnist").image("mnist:1").master().workers(1).build();
        Path file = directory.resolve("pod.yaml");
        Files.writeString(
                file,
                Serialization.asYaml(PodTemplates.of(job.plan()).get("worker", 0))
                        .replace(job.plan().runId(), "<run id>"));
        assertThat(PodTemplates.of(job.plan()).get("worker", 0)).matchesGolden(file);
    }

    @Test
    void variables_with_values_and_from_elsewhere() {
        String who = WHO + ", container tensorflow: ";
        fails(() -> assertThat(pod).hasEnv("WORKER_ID", "3"), who + "expected variable WORKER_ID=\"3\", was \"2\"");
        fails(
                () -> assertThat(pod).hasEnv("WORKR_ID", "3"),
                who
                        + "expected variable WORKR_ID=\"3\", but there is no WORKR_ID; did you mean \"WORKER_ID\"? There are"
                        + " WORKER_ID, TF_CONFIG, TOKEN, HOSTS");
        fails(
                () -> assertThat(pod).hasEnv("TOKEN", "x"),
                who + "expected variable TOKEN=\"***\", is taken from secret creds, key token");
        fails(
                () -> assertThat(pod).container().env("TOKEN", value -> {}),
                who + "expected variable TOKEN with a value, is taken from secret creds, key token");
        fails(
                () -> assertThat(pod).hasEnvFromSecret("TOKEN", "creds", "password"),
                who + "expected variable TOKEN from secret creds, key password, is taken from secret creds, key token");
        fails(
                () -> assertThat(pod).hasEnvFromSecret("WORKER_ID", "creds", "id"),
                who + "expected variable WORKER_ID from secret creds, key id, was \"2\"");
        fails(
                () -> assertThat(pod).container().hasEnvFromConfigMap("TOKEN", "hosts", "hostfile"),
                who
                        + "expected variable TOKEN from config map hosts, key hostfile, is taken from secret creds, key token");
        fails(
                () -> assertThat(pod).doesNotHaveEnv("TOKEN"),
                who + "expected no variable TOKEN, is taken from secret creds, key token");
        fails(() -> assertThat(pod).doesNotHaveEnv("WORKER_ID"), who + "expected no variable WORKER_ID, was \"2\"");
        fails(
                () -> assertThat(pod).tfConfig().hasTask("ps", 0),
                WHO + ", container tensorflow, TF_CONFIG: expected task ps 0, was worker 0");
    }

    @Test
    void resources_are_compared_by_their_amounts() {
        String who = WHO + ", container tensorflow: ";
        fails(
                () -> assertThat(pod).hasRequests("cpu=2,memory=4Gi"),
                who + "expected requests cpu=2,memory=4Gi, was cpu=2000m,memory=2048Mi,nvidia.com/gpu=1");
        fails(
                () -> assertThat(pod).hasRequest("memory", "4Gi"),
                who + "expected request memory=\"4Gi\", was \"2048Mi\"");
        fails(() -> assertThat(pod).hasLimits("gpu=2"), who + "expected limits nvidia.com/gpu=2, was nvidia.com/gpu=1");
        fails(
                () -> assertThat(pod).hasLimit("cpu", "2"),
                who + "expected limit cpu=\"2\", but there is no cpu; there are nvidia.com/gpu");
    }

    @Test
    void mounts_are_reported_with_their_volumes() {
        String who = WHO + ", container tensorflow: ";
        fails(
                () -> assertThat(pod).mountsClaim("/data", "other"),
                who + "expected mount /data=\"claim other\", was \"claim files\"");
        fails(
                () -> assertThat(pod).mountsClaim("/cache", "files"),
                who + "expected mount /cache=\"claim files\", was \"host path /mnt/disk\"");
        fails(
                () -> assertThat(pod).mountsClaim("/dat", "files"),
                who + "expected mount /dat=\"claim files\", but there is no /dat; did you mean \"/data\"? There are"
                        + " /data, /cache, /keys, /hosts");
        fails(
                () -> assertThat(pod).container().mountsSecret("/hosts", "keys"),
                who + "expected mount /hosts=\"secret keys\", was \"config map hosts\"");
        fails(() -> assertThat(pod).mountsNothingAt("/keys"), who + "expected no mount /keys, was \"secret keys\"");
    }

    @Test
    void a_pod_is_called_by_its_labels_its_name_or_its_container() {
        PodTemplateSpec bare = new PodTemplateSpecBuilder()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .endContainer()
                .endSpec()
                .build();
        fails(
                () -> assertThat(bare).mountsNoServiceAccountToken(),
                "pod with container \"main\": expected automountServiceAccountToken false, was not given, which is true");
        Pod named =
                new PodBuilder().withNewMetadata().withName("p").endMetadata().build();
        fails(
                () -> assertThat(named).hasPriorityClass("low"),
                "pod \"p\": expected priority class \"low\", but there is none");
        fails(
                () -> assertThat(new PodTemplateSpecBuilder()
                                .withNewMetadata()
                                .withLabels(Map.of("tf_job_name", "mnist", "job_type", "PS", "task_index", "1"))
                                .endMetadata()
                                .build())
                        .as("nightly")
                        .hasPriorityClass("low"),
                "[nightly] pod of job \"mnist\", ps 1: expected priority class \"low\", but there is none");
        fails(() -> assertThat((Pod) null).hasPriorityClass("low"), "\nExpecting actual not to be null");
    }

    @Test
    void a_golden_pod_is_its_yaml(@TempDir Path directory) throws IOException {
        PodTemplateSpec small = new PodTemplateSpecBuilder()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("img:1")
                .endContainer()
                .endSpec()
                .build();
        Path file = directory.resolve("pod.yaml");
        Files.writeString(file, """
                ---
                spec:
                  containers:
                  - image: "img:2"
                    name: "main"
                """);
        fails(() -> assertThat(small).matchesGolden(file), "pod with container \"main\" differs from " + file + """
                         (-: approved, +: now):
                        @@ -1,5 +1,5 @@
                         ---
                         spec:
                           containers:
                        -  - image: "img:2"
                        +  - image: "img:1"
                             name: "main"
                        If the change is intended, approve it:
                          mvn test -Dtest=PodAssertTest#a_golden_pod_is_its_yaml -Dedl.approve\
                        """);
    }
}
