package dev.edl.k8s.internal.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.plan.JobPlan;
import dev.edl.spec.Priority;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FileReaderPodTest {
    private static final String VOLUME = "mount_path=/data,claim_name=fileserver-claim";

    private static JobBuilder job() {
        return Job.named("mnist").namespace("test").image("mnist:1").env("EDL_TOKEN_FILE", "/run/edl/token");
    }

    private static Pod pod(JobBuilder job, PodOptions options, String path) {
        JobPlan plan = job.master()
                .gpu(1)
                .request("cpu=2,memory=1Gi")
                .workers(1)
                .build()
                .plan();
        return FileReaderPod.of(
                plan,
                PodTemplates.of(plan, options),
                new OwnerReferenceBuilder()
                        .withName("edl-job-mnist")
                        .withUid("u1")
                        .build(),
                path,
                "0a1b",
                "5f",
                30);
    }

    private static Pod pod(String path) {
        return pod(job().volume(VOLUME), PodOptions.builder().runAsUser(1000).build(), path);
    }

    @Test
    void it_has_the_jobs_labels_and_no_replicas() {
        Pod pod = pod("/data/model.npz");

        assertThat(pod.getMetadata().getName()).isEqualTo("elasticdl-mnist-reader-0a1b");
        assertThat(pod.getMetadata().getLabels()).isEqualTo(Map.of("app", "elasticdl", "elasticdl-job-name", "mnist"));
        assertThat(PodMapper.of(pod)).isEmpty();
    }

    @Test
    void it_has_no_priority_so_that_it_preempts_no_worker() {
        Pod pod = pod(
                job().volume(VOLUME).priority(Priority.HIGH),
                PodOptions.builder().build(),
                "/data/model.npz");

        assertThat(pod.getSpec().getPriorityClassName()).isNull();
    }

    @Test
    void it_is_the_masters_pod_without_devices() {
        Pod pod = pod("/data/$(HOME)/model.npz");
        Container main = MainContainer.of(pod);

        assertThat(main.getImage()).isEqualTo("mnist:1");
        assertThat(main.getVolumeMounts()).extracting(VolumeMount::getMountPath).containsExactly("/data", "/run/edl");
        assertThat(main.getEnv())
                .contains(
                        new EnvVar("EDL_ROLE", "reader", null),
                        new EnvVar("EDL_FILE", "/data/$$(HOME)/model.npz", null),
                        new EnvVar("EDL_FILE_KEY", "5f", null),
                        new EnvVar("EDL_FILE_PORT", "50003", null))
                .extracting(EnvVar::getName)
                .doesNotHaveDuplicates();
        assertThat(main.getResources().getRequests())
                .isEqualTo(Map.of("cpu", new Quantity("2"), "memory", new Quantity("1Gi")));
        assertThat(main.getResources().getLimits()).doesNotContainKey("nvidia.com/gpu");
        assertThat(pod.getSpec().getSecurityContext().getRunAsUser()).isEqualTo(1000);
        assertThat(pod.getSpec().getAutomountServiceAccountToken()).isFalse();
        assertThat(pod.getSpec().getRestartPolicy()).isEqualTo("Never");
        assertThat(pod.getSpec().getActiveDeadlineSeconds()).isEqualTo(90);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "model.npz",
                "",
                "/data",
                "/data/",
                "/database/model.npz",
                "/data/../run/edl/token",
                "/data/./a",
                "/run/edl/token",
                "/tmp/model.npz"
            })
    void a_path_that_no_lasting_volume_has_is_refused(String path) {
        assertThatThrownBy(() -> pod(path))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("job \"mnist\": no file can be read: path must be absolute, without \".\" and \"..\", and"
                        + " below /data, was \"" + path + "\"; for example /data/model.npz");
    }

    @Test
    void a_folder_of_the_masters_node_is_refused() {
        assertThatThrownBy(() -> pod(
                        job().volume(VOLUME).volume("mount_path=/data/node,host_path=/mnt/disk1"),
                        PodOptions.none(),
                        "/data/node/model.npz"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no file can be read");
    }

    @Test
    void a_volume_that_ends_with_the_masters_pod_is_refused() {
        PodOptions scratch = PodOptions.builder()
                .pod(pod -> pod.edit()
                        .editSpec()
                        .addNewVolume()
                        .withName("scratch")
                        .withNewEmptyDir()
                        .endEmptyDir()
                        .endVolume()
                        .editFirstContainer()
                        .addNewVolumeMount()
                        .withName("scratch")
                        .withMountPath("/data/scratch")
                        .endVolumeMount()
                        .endContainer()
                        .endSpec()
                        .build())
                .build();

        assertThatThrownBy(() -> pod(job().volume(VOLUME), scratch, "/data/scratch/model.npz"))
                .hasMessageContaining("below /data, was");
        assertThatThrownBy(() -> pod(job(), scratch, "/data/scratch/model.npz"))
                .hasMessage(
                        "job \"mnist\": no file can be read: its master has no volume that outlives its pod; add one"
                                + " with volume(\"mount_path=/data,claim_name=fileserver-claim\")");
    }

    @ParameterizedTest
    @CsvSource({
        "true, 'its image has no program of ProgramJobs.image, which sends files'",
        "false, 'it has no master whose volumes could have the file'"
    })
    void a_job_of_another_program_is_refused(boolean master, String why) {
        JobBuilder job = Job.named("mnist").image("mnist:1").volume(VOLUME);
        JobPlan plan = (master
                        ? job.master().workers(1)
                        : job.horovod().launcher().workers(1))
                .build()
                .plan();

        assertThatThrownBy(() -> FileReaderPod.of(
                        plan,
                        PodTemplates.of(plan),
                        new OwnerReferenceBuilder().build(),
                        "/data/model.npz",
                        "0a1b",
                        "5f",
                        30))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("job \"mnist\": no file can be read: " + why);
    }
}
