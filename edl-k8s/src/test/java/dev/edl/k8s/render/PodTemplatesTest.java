package dev.edl.k8s.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.plan.EnvRule;
import dev.edl.plan.Profile;
import dev.edl.spec.RoleType;
import dev.edl.spec.Volume;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HostPathVolumeSource;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PodTemplatesTest {
    private final PodTemplates pods = PodTemplates.of(ManifestsTest.mnist().plan());

    @Test
    void a_pod_as_yaml_has_everything_that_its_replica_needs() {
        Golden.assertSame("worker-2.yaml", pods.toYaml("worker", 2));
    }

    @Test
    void a_relaunched_worker_has_a_new_id_in_the_same_slot() {
        PodTemplateSpec pod = pods.get(RoleType.WORKER, 4, 0);

        assertThat(pod.getMetadata().getLabels()).containsEntry("elasticdl-replica-index", "0");
        assertThat(container(pod).getEnv())
                .contains(new EnvVar("WORKER_ID", "4", null), new EnvVar("EDL_INDEX", "0", null));
    }

    @Test
    void a_changed_template_does_not_affect_the_next_one() {
        pods.get("worker", 2).getMetadata().getLabels().clear();
        container(pods.get("worker", 2)).setEnv(null);

        assertThat(pods.get("worker", 2).getMetadata().getLabels()).isNotEmpty();
        assertThat(container(pods.get("worker", 2)).getEnv()).isNotEmpty();
    }

    @Test
    void a_source_that_is_mounted_twice_is_one_volume() {
        PodTemplateSpec pod = PodTemplates.of(Job.named("m")
                        .tensorflow()
                        .image("i")
                        .workers(1)
                        .volume("mount_path=/a,claim_name=c,sub_path=x;mount_path=/b,claim_name=c,read_only=true")
                        .volume("mount_path=/h,host_path=/mnt,type=Directory")
                        .build()
                        .plan())
                .get("worker", 0);

        assertThat(pod.getSpec().getVolumes())
                .extracting(v -> v.getName() + " "
                        + (v.getHostPath() == null
                                ? v.getPersistentVolumeClaim().getClaimName()
                                : v.getHostPath()))
                .containsExactly("volume-0 c", "volume-1 " + new HostPathVolumeSource("/mnt", "Directory"));
        assertThat(container(pod).getVolumeMounts())
                .extracting(m -> m.getName() + " " + m.getMountPath() + " " + m.getSubPath() + " " + m.getReadOnly())
                .containsExactly("volume-0 /a x null", "volume-0 /b null true", "volume-1 /h null null");
    }

    @Test
    void the_files_of_an_image_are_a_volume() {
        PodTemplateSpec pod = PodTemplates.of(Job.named("m")
                        .tensorflow()
                        .image("i")
                        .workers(1)
                        .volume(Volume.image("a.example/jars@sha256:1f", "/app"))
                        .build()
                        .plan())
                .get("worker", 0);

        assertThat(pod.getSpec().getVolumes())
                .containsExactly(new VolumeBuilder()
                        .withName("volume-0")
                        .withNewImage()
                        .withReference("a.example/jars@sha256:1f")
                        .endImage()
                        .build());
        assertThat(container(pod).getVolumeMounts()).singleElement().satisfies(mount -> {
            assertThat(mount.getMountPath()).isEqualTo("/app");
            assertThat(mount.getReadOnly()).isTrue();
        });
    }

    @Test
    void a_resource_without_a_limit_is_limited_to_its_request() {
        PodTemplateSpec pod = PodTemplates.of(Job.named("m")
                        .tensorflow()
                        .image("i")
                        .workers(1)
                        .request("cpu=1,memory=1Gi,amd.com/gpu=2")
                        .limit("memory=2Gi")
                        .build()
                        .plan())
                .get("worker", 0);

        assertThat(container(pod).getResources().getRequests())
                .isEqualTo(Map.of(
                        "cpu", new Quantity("1"),
                        "memory", new Quantity("1Gi"),
                        "amd.com/gpu", new Quantity("2")));
        assertThat(container(pod).getResources().getLimits())
                .isEqualTo(Map.of(
                        "cpu", new Quantity("1"),
                        "memory", new Quantity("2Gi"),
                        "amd.com/gpu", new Quantity("2")));
    }

    @Test
    void text_of_the_job_reaches_the_process_literally() {
        PodTemplateSpec pod = PodTemplates.of(Job.named("m")
                        .tensorflow()
                        .image("i")
                        .workers(1)
                        .command("sh", "-c", "echo $(hostname) $$ $HOME")
                        .env("PRICE", "$(EDL_ROLE)")
                        .build()
                        .plan())
                .get("worker", 0);

        assertThat(container(pod).getCommand()).containsExactly("sh", "-c", "echo $$(hostname) $$$$ $$HOME");
        assertThat(container(pod).getEnv()).contains(new EnvVar("PRICE", "$$(EDL_ROLE)", null));
    }

    @Test
    void replicas_that_differ_by_their_index_share_a_template_and_others_do_not() {
        PodTemplates fraction = PodTemplates.of(Job.named("m")
                .image("i")
                .master()
                .workers(4)
                .priority("0.5")
                .build()
                .plan());

        assertThat(container(pods.shared("worker").orElseThrow())
                        .getEnv()
                        .get(0)
                        .getName())
                .isEqualTo("JOB_COMPLETION_INDEX");
        assertThat(fraction.shared("worker")).isEmpty();
        assertThat(fraction.shared("master")).isEmpty();
    }

    @Test
    void a_pod_without_an_image_is_refused_with_every_role_that_has_none() {
        PodTemplates imageless = PodTemplates.of(
                Job.named("m").master().image("i").ps(1).workers(1).build().plan());

        assertThatThrownBy(() -> imageless.get("worker", 0))
                .isInstanceOf(RenderException.class)
                .hasMessage("job \"m\": ps.image, worker.image must be set, because a pod has no default image; for"
                        + " example"
                        + " image(\"registry.example/acme/mnist:1\")");
    }

    @Test
    void its_text_names_the_job() {
        assertThat(pods).hasToString("pods of test-mnist: master, ps, worker");
    }

    private static Container container(PodTemplateSpec pod) {
        return pod.getSpec().getContainers().get(0);
    }

    /** Four replicas represent all only under EDL's own rules. */
    @Test
    void a_user_rule_that_varies_prevents_a_shared_template() {
        Job job = Job.named("m").image("i").master().workers(9).build();
        EnvRule third = (plan, role, id, index) -> Map.of("DEBUG", index == 3 ? "1" : "0");
        EnvRule alone = (plan, role, id, index) -> index == 3 ? Map.of("DEBUG", "1") : Map.of();
        EnvRule alike = (plan, role, id, index) -> Map.of("RANK", "r" + index);

        assertThat(PodTemplates.of(job.plan(Profile.ELASTICDL, third)).shared("worker"))
                .isEmpty();
        assertThat(PodTemplates.of(job.plan(Profile.ELASTICDL, alone)).shared("worker"))
                .isEmpty();
        assertThat(PodTemplates.of(job.plan(Profile.ELASTICDL, alike)).shared("worker"))
                .isPresent();
    }

    @Test
    void arguments_that_an_operator_would_replace_are_refused() {
        Job job = Job.named("m")
                .horovod()
                .image("i")
                .launcher()
                .workers(2)
                .args("--verbose")
                .build();
        for (Profile profile : List.of(Profile.KUBEFLOW_V1, Profile.ET_V1ALPHA1)) {
            assertThatThrownBy(() -> PodTemplates.of(job.plan(profile)))
                    .isInstanceOf(RenderException.class)
                    .hasMessage("job \"m\": worker.args are ignored without a command: a worker of profile " + profile
                            + " then sleeps until its launcher starts a process; set a command, or pass the"
                            + " arguments in the launcher");
        }
        assertThat(container(PodTemplates.of(job.plan()).get("worker", 0)).getArgs())
                .containsExactly("--verbose");
    }
}
