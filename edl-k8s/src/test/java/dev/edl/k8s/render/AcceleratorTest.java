package dev.edl.k8s.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.env.HorovodEnv;
import dev.edl.env.PyTorchEnv;
import dev.edl.k8s.render.internal.ManifestYaml;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.List;
import org.junit.jupiter.api.Test;

class AcceleratorTest {
    private static final String GPU_NOW = "nvidia.com/gpu";
    private static final String GPU = "alpha.kubernetes.io/nvidia-gpu";

    /** Test vector of tensorflow/k8s, with another host path and a variable. */
    private final AcceleratorConfig config = AcceleratorConfig.none()
            .volume(GPU, "cuda-lib", "/usr/lib/cuda", "/usr/local/cuda")
            .env(GPU, "LD_LIBRARY_PATH", "/usr/local/cuda/lib64");

    private final JobPlan smoke = Job.named("tf-smoke-gpu")
            .tensorflow()
            .runId("76no")
            .image("gcr.io/tf-on-k8s-dogfood/tf_sample_gpu:latest")
            .master()
            .ps(1)
            .build()
            .plan(Profile.TFJOB_V1ALPHA1);

    @Test
    void vendors_have_their_own_resources() {
        assertThat(Accelerator.nvidia(1)).hasToString("nvidia.com/gpu=1");
        assertThat(Accelerator.nvidiaMig("1g.5gb", 2)).hasToString("nvidia.com/mig-1g.5gb=2");
        assertThat(Accelerator.nvidiaMig("1g.5gb+me", 1)).hasToString("nvidia.com/mig-1g.5gb.me=1");
        assertThat(Accelerator.amd(4)).hasToString("amd.com/gpu=4");
        assertThat(Accelerator.of("example.com/npu", 1).onNodes("a", "b")).hasToString("example.com/npu=1 on a=b");
        assertThat(Accelerator.tpu("tpu-v5-lite-podslice", "2x4", 8))
                .hasToString("google.com/tpu=8 on cloud.google.com/gke-tpu-accelerator=tpu-v5-lite-podslice,"
                        + "cloud.google.com/gke-tpu-topology=2x4");
        assertThat(Accelerator.amd(2).resources()).hasToString("amd.com/gpu=2");
    }

    @Test
    void an_invalid_device_is_refused() {
        assertThatThrownBy(() -> Accelerator.nvidia(0))
                .hasMessage("the count of nvidia.com/gpu must be at least 1, was 0; leave it out for none");
        assertThatThrownBy(() -> Accelerator.of("gpu", 1))
                .hasMessage("an accelerator must have the form domain/name, was \"gpu\"; for example nvidia.com/gpu");
        assertThatThrownBy(() -> Accelerator.nvidiaMig("5gb", 1))
                .hasMessage("a MIG slice must have the form <compute>g.<memory>gb, was \"5gb\"; for example 1g.5gb");
        assertThatThrownBy(() -> Accelerator.tpu("t", "2", 1))
                .hasMessage("a TPU topology must have the form <x>x<y> or <x>x<y>x<z>, was \"2\"; for example 2x4");
    }

    // A-13, F.1
    @Test
    void a_device_in_requests_and_limits_gets_its_files_once() {
        Golden.assertSame("tfjob-gpu.yaml", ManifestYaml.one(pods(config).get("master", 0)));
    }

    @Test
    void a_pod_without_the_device_is_left_as_it_is() {
        assertThat(pods(config).get("ps", 0)).isEqualTo(PodTemplates.of(smoke).get("ps", 0));
    }

    @Test
    void an_existing_volume_or_variable_is_not_added_again() {
        PodTemplateSpec once = pods(config).get("master", 0);
        PodTemplateSpec twice = pods(config).get("master", 0);

        AcceleratorMounts.add(config, twice);

        assertThat(twice).isEqualTo(once);
    }

    // E.A 8: the operator iterated over the devices in random order.
    @Test
    void devices_apply_in_the_order_of_their_names() {
        AcceleratorConfig old = AcceleratorConfig.none().env(GPU, "OLD", "1").env(GPU_NOW, "NEW", "1");
        AcceleratorConfig now =
                AcceleratorConfig.none().env(GPU_NOW, "NEW", "1").env(GPU, "OLD", "1");

        for (AcceleratorConfig config : List.of(old, now)) {
            PodTemplateSpec pod = PodTemplates.of(
                            smoke,
                            PodOptions.builder()
                                    .acceleratorConfig(config)
                                    .role(
                                            "master",
                                            master -> master.accelerator(Accelerator.of(GPU_NOW, 1))
                                                    .accelerator(Accelerator.of(GPU, 1)))
                                    .build())
                    .get("master", 0);

            assertThat(pod.getSpec().getContainers().get(0).getEnv())
                    .extracting(EnvVar::getName)
                    .containsExactly("OLD", "NEW", "TF_CONFIG");
        }
    }

    @Test
    void the_main_container_gets_the_files_under_any_framework() {
        PodTemplateSpec pod = PodTemplates.of(
                        Job.named("m")
                                .pytorch()
                                .image("i")
                                .workers(1)
                                .gpu(GPU_NOW, 1)
                                .build()
                                .plan(),
                        PodOptions.builder()
                                .acceleratorConfig(AcceleratorConfig.none()
                                        .volume(GPU_NOW, "lib", "/usr/lib/cuda", "/usr/local/cuda")
                                        .volume(GPU_NOW, "lib", "/usr/lib/cuda", "/opt/cuda"))
                                .build())
                .get("worker", 0);

        assertThat(pod.getSpec().getVolumes()).hasSize(1);
        assertThat(pod.getSpec().getContainers().get(0).getVolumeMounts())
                .extracting(VolumeMount::getMountPath)
                .containsExactly("/usr/local/cuda", "/opt/cuda");
    }

    @Test
    void a_volume_of_the_job_in_their_place_is_refused() {
        PodTemplates pods = PodTemplates.of(
                Job.named("m")
                        .tensorflow()
                        .image("i")
                        .workers(1)
                        .gpu(GPU_NOW, 1)
                        .volume("mount_path=/usr/local/cuda,claim_name=mine")
                        .build()
                        .plan(),
                PodOptions.builder()
                        .acceleratorConfig(
                                AcceleratorConfig.none().volume(GPU_NOW, "lib", "/usr/lib/cuda", "/usr/local/cuda"))
                        .build());

        assertThatThrownBy(() -> pods.get("worker", 0))
                .hasMessage("job \"m\": worker: container tensorflow: /usr/local/cuda must be mounted once, is mounted"
                        + " twice");
    }

    @Test
    void a_device_only_in_options_is_refused_if_it_decides_processes() {
        PodOptions options = PodOptions.builder()
                .role("worker", worker -> worker.accelerator(Accelerator.nvidia(8)))
                .build();
        Job torch = Job.named("m").pytorch().image("i").workers(2).build();
        Job horovod = Job.named("m")
                .horovod()
                .image("i")
                .launcher()
                .command("sh")
                .workers(2)
                .build();

        for (JobPlan plan : List.of(torch.plan(), horovod.plan(), horovod.plan(Profile.ET_V1ALPHA1))) {
            assertThatThrownBy(() -> PodTemplates.of(plan, options))
                    .isInstanceOf(RenderException.class)
                    .hasMessage("job \"m\": worker gets nvidia.com/gpu=8 from options, which the plan does not read: it"
                            + " starts 1 of 8 processes; request the device in the job, for example"
                            + " .gpu(\"nvidia.com/gpu\", 8)");
        }
    }

    @Test
    void a_device_of_options_is_accepted_for_the_same_process_count() {
        PodOptions options = PodOptions.builder()
                .role("worker", worker -> worker.accelerator(Accelerator.nvidia(8)))
                .build();
        PodOptions one = PodOptions.builder()
                .role("worker", worker -> worker.accelerator(Accelerator.nvidia(1)))
                .build();
        Job torch = Job.named("m").pytorch().image("i").workers(2).build();
        Job asked = torch.toBuilder().workers().gpu(8).build();
        Job horovod = Job.named("m")
                .horovod()
                .image("i")
                .launcher()
                .command("sh")
                .workers(2)
                .build();
        Job tensorflow = Job.named("m").tensorflow().image("i").workers(2).build();

        assertThat(List.of(
                        PodTemplates.of(asked.plan(), options),
                        PodTemplates.of(torch.plan(), one),
                        PodTemplates.of(torch.plan(Profile.KUBEFLOW_V1), options),
                        PodTemplates.of(
                                torch.plan(
                                        Profile.ELASTICDL,
                                        PyTorchEnv.of(Profile.ELASTICDL).processes("4")),
                                options),
                        PodTemplates.of(
                                horovod.plan(
                                        Profile.ELASTICDL,
                                        HorovodEnv.of(Profile.ELASTICDL).slots(8)),
                                options),
                        PodTemplates.of(tensorflow.plan(), options)))
                .hasSize(6);
    }

    @Test
    void its_text_has_one_line_per_device() {
        assertThat(config)
                .hasToString("alpha.kubernetes.io/nvidia-gpu: /usr/local/cuda <- host /usr/lib/cuda,"
                        + " LD_LIBRARY_PATH=/usr/local/cuda/lib64");
    }

    private PodTemplates pods(AcceleratorConfig config) {
        return PodTemplates.of(
                smoke,
                PodOptions.builder()
                        .acceleratorConfig(config)
                        .role("master", master -> master.accelerator(Accelerator.of(GPU, 1)))
                        .build());
    }
}
