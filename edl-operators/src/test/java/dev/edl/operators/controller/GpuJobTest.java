package dev.edl.operators.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.edl.k8s.MockCluster;
import dev.edl.k8s.render.Manifests;
import dev.edl.operators.controller.internal.ObjectKey;
import dev.edl.operators.crd.ConversionLoss;
import dev.edl.operators.crd.JobReadResult;
import dev.edl.operators.crd.mxjob.MxJobs;
import dev.edl.operators.crd.tfjob.TfJobs;
import dev.edl.plan.Profile;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.Test;

/** Driver mounts and variables of a GPU job's pods, by the configuration of the operators of 2017. */
@MockCluster
class GpuJobTest {
    // The extension sets it.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    private static void hasDrivers(PodSpec pod) {
        Container own = pod.getContainers().get(0);
        assertThat(own.getResources().getLimits()).containsEntry("nvidia.com/gpu", new Quantity("1"));
        assertThat(pod.getVolumes())
                .extracting(
                        volume -> volume.getName() + " " + volume.getHostPath().getPath())
                .contains("nvidia-libs /usr/lib/nvidia", "nvidia-bin /usr/lib/nvidia/bin");
        assertThat(own.getVolumeMounts())
                .extracting(VolumeMount::getName, VolumeMount::getMountPath)
                .contains(
                        tuple("nvidia-libs", "/usr/local/nvidia/lib64"), tuple("nvidia-bin", "/usr/local/nvidia/bin"));
        assertThat(own.getEnv())
                .contains(new EnvVarBuilder()
                        .withName("LD_LIBRARY_PATH")
                        .withValue("/usr/local/nvidia/lib64")
                        .build());
    }

    private static PodSpec pod(JobReadResult result, Profile profile) {
        Manifests manifests = Manifests.of(
                result.job().plan(profile),
                result.options().toBuilder().controllerConfig(GpuJobs.CONFIG).build());
        return manifests.objects(Job.class).get(0).getSpec().getTemplate().getSpec();
    }

    @Test
    void the_gpu_job_of_the_tfjob_page_gets_the_drivers_by_manifests() {
        hasDrivers(pod(TfJobs.read(GpuJobs.TFJOB), Profile.TFJOB_V1ALPHA1));
    }

    @Test
    void an_mxjob_with_a_gpu_gets_the_drivers_by_manifests() {
        hasDrivers(pod(MxJobs.read(GpuJobs.MXJOB), Profile.MXJOB_V1BETA1));
    }

    @Test
    void the_key_of_the_page_is_read_as_the_operators_own_with_a_warning() {
        assertThat(TfJobs.read(GpuJobs.TFJOB).losses())
                .extracting(ConversionLoss::path, ConversionLoss::why)
                .contains(
                        tuple(
                                "spec.replica_specs",
                                "it is read as replicaSpecs, as the operator's key is; the operator itself would see no replicas"));
        assertThat(MxJobs.read(GpuJobs.MXJOB.replace("replicaSpecs", "replica_specs"))
                        .job())
                .isEqualTo(MxJobs.read(GpuJobs.MXJOB).job());
    }

    @Test
    void the_gpu_job_of_the_tfjob_page_gets_the_drivers_by_the_controller() {
        try (Trial trial = new Trial(client, GpuJobs.CONFIG)) {
            trial.create(GpuJobs.TFJOB);

            hasDrivers(trial.pod("tf-smoke-gpu-master-76no-0").getSpec());
        }
    }

    @Test
    void an_mxjob_with_a_gpu_gets_the_drivers_by_the_controller() {
        try (Trial trial = new Trial(client, GpuJobs.CONFIG)) {
            trial.create(GpuJobs.MXJOB);

            hasDrivers(trial.pod("example-job-worker-1kkf-0").getSpec());
        }
    }

    @Test
    void mxjobs_of_both_groups_are_served() {
        try (Trial trial = new Trial(client, JobKinds.all(GpuJobs.CONFIG))) {
            trial.create(GpuJobs.MXJOB.replace("1kkf", "aaaa").replace("example-job", "first"));
            trial.create(GpuJobs.MXJOB
                    .replace("mxnet.mlkube.io", "mlkube.io")
                    .replace("1kkf", "bbbb")
                    .replace("example-job", "second"));

            assertThat(trial.pod("first-worker-aaaa-0").getMetadata().getOwnerReferences())
                    .hasSize(1);
            assertThat(trial.pod("second-worker-bbbb-0").getMetadata().getOwnerReferences())
                    .hasSize(1);
        }
    }

    @Test
    void an_object_is_found_by_its_group_too() {
        ObjectKey old = new ObjectKey(ObjectKey.kind("mlkube.io/v1beta1", "MxJob"), "test", "a");

        assertThat(old).hasToString("MxJob.mlkube.io test/a");
        assertThat(old).isNotEqualTo(new ObjectKey(ObjectKey.kind("mxnet.mlkube.io", "MxJob"), "test", "a"));
        assertThat(old.beside("TfJob")).isEqualTo("TfJob.mlkube.io");
    }
}
