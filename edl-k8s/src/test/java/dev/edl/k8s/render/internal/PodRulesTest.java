package dev.edl.k8s.render.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.k8s.render.Manifests;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.PodSecurity;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.k8s.render.RenderException;
import dev.edl.k8s.render.Workload;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.spec.RestartPolicy;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Rules of Kubernetes' own validation for pods with parts of different origin, and their limits. */
class PodRulesTest {
    private final JobPlan plan =
            Job.named("m").elasticdl().image("i").master().workers(2).build().plan();

    private static JobBuilder horovod(String name) {
        return Job.named(name)
                .horovod()
                .image("i")
                .launcher()
                .command("horovodrun")
                .workers(2);
    }

    private static PodTemplates tweaked(JobPlan plan, Consumer<PodTemplateSpec> tweak) {
        return PodTemplates.of(
                plan,
                PodOptions.builder()
                        .pod(pod -> {
                            tweak.accept(pod);
                            return pod;
                        })
                        .build());
    }

    @Test
    void a_volume_where_the_profile_has_its_files_is_refused() {
        PodTemplates ours = PodTemplates.of(Job.named("m")
                .horovod()
                .image("i")
                .launcher()
                .command("horovodrun")
                .volume("mount_path=/etc/edl,claim_name=c")
                .workers(2)
                .build()
                .plan());
        PodTemplates theirs = PodTemplates.of(
                horovod("volume-0").volume("mount_path=/d,claim_name=c").build().plan(Profile.ET_V1ALPHA1));

        assertThatThrownBy(() -> ours.get("launcher", 0))
                .isInstanceOf(RenderException.class)
                .hasMessage("job \"m\": launcher: container horovod: /etc/edl must be mounted once, is mounted twice");
        assertThatThrownBy(() -> theirs.get("worker", 0))
                .isInstanceOf(RenderException.class)
                .hasMessage("job \"volume-0\": worker: two volumes are named volume-0; rename one");
    }

    @Test
    void an_invalid_sidecar_is_refused_with_every_mistake() {
        PodTemplates pods = PodTemplates.of(
                plan,
                PodOptions.builder()
                        .sidecar(new ContainerBuilder()
                                .withName("My_Log")
                                .addNewEnv()
                                .withName("A=B")
                                .withValue("c")
                                .endEnv()
                                .addNewVolumeMount()
                                .withName("logs")
                                .withMountPath("/logs")
                                .endVolumeMount()
                                .addNewPort()
                                .withName("prometheus-metrics")
                                .withContainerPort(70_000)
                                .endPort()
                                .build())
                        .build());

        assertThatThrownBy(() -> pods.get("worker", 0))
                .isInstanceOf(RenderException.class)
                .hasMessage(
                        "job \"m\": worker: a container's name must be a DNS label of at most 63 lower-case letters,"
                                + " digits and dashes, was \"My_Log\"; container My_Log: an image must be given, was not given;"
                                + " container My_Log: a variable must have a name without =, was \"A=B\"; container My_Log:"
                                + " mounts the volume logs, which the pod does not have; add it; container My_Log: a"
                                + " port must be"
                                + " from 1 to 65535, was 70000; container My_Log: a port's name must have at most 15 lower-case"
                                + " letters, digits and single dashes, one of them a letter, was \"prometheus-metrics\"");
    }

    @Test
    void probes_have_the_bounds_of_their_kind() {
        PodTemplates pods = tweaked(
                plan,
                pod -> pod.getSpec()
                        .getContainers()
                        .set(
                                0,
                                pod.getSpec()
                                        .getContainers()
                                        .get(0)
                                        .edit()
                                        .withNewLivenessProbe()
                                        .withSuccessThreshold(2)
                                        .endLivenessProbe()
                                        .withNewReadinessProbe()
                                        .withSuccessThreshold(2)
                                        .withTerminationGracePeriodSeconds(5L)
                                        .endReadinessProbe()
                                        .addNewPort()
                                        .withHostPort(80)
                                        .endPort()
                                        .build()));

        assertThatThrownBy(() -> pods.get("worker", 0))
                .hasMessage("job \"m\": worker: container elasticdl: a port must be from 1 to 65535, was missing;"
                        + " container elasticdl: livenessProbe.successThreshold must be from 0 to 1, was 2; container"
                        + " elasticdl: readinessProbe.terminationGracePeriodSeconds must not be set, because a readiness"
                        + " probe ends no container, was 5");
    }

    @Test
    void a_tweak_that_adds_invalid_fields_is_refused() {
        PodTemplates labels = tweaked(plan, pod -> pod.getMetadata().getLabels().put("a b", "c d"));
        PodTemplates mounts =
                tweaked(plan, pod -> pod.getSpec().getContainers().get(0).setVolumeMounts(List.of(new VolumeMount())));
        PodTemplates env = tweaked(
                plan,
                pod -> pod.getSpec()
                        .getContainers()
                        .get(0)
                        .setEnv(List.of(new EnvVarBuilder().withValue("x").build())));

        assertThatThrownBy(() -> labels.get("worker", 0))
                .hasMessage(
                        "job \"m\": worker: a label must have the form name or domain/name, was \"a b\"; the label a"
                                + " b must have at most 63 letters, digits, dashes, dots and underscores, first and last a"
                                + " letter or digit, was \"c d\"");
        assertThatThrownBy(() -> mounts.get("worker", 0))
                .hasMessage("job \"m\": worker: container elasticdl: a mount path must be given, without :, was not"
                        + " given; container elasticdl: mounts the volume null, which the pod does not have; add it");
        assertThatThrownBy(() -> env.get("worker", 0))
                .hasMessage("job \"m\": worker: container elasticdl: a variable must have a name without =, was not"
                        + " given");
    }

    @Test
    void a_tweak_may_remove_optional_fields() {
        PodOptions options = PodOptions.builder()
                .queue("team-a")
                .security(PodSecurity.RESTRICTED)
                .pod(pod -> {
                    pod.getMetadata().setAnnotations(null);
                    pod.getSpec().setInitContainers(null);
                    pod.getSpec().setVolumes(null);
                    pod.getSpec().setRestartPolicy(null);
                    pod.getSpec().getContainers().get(0).setEnv(null);
                    pod.getSpec().getContainers().get(0).setPorts(null);
                    pod.getSpec().getContainers().get(0).setVolumeMounts(null);
                    return pod;
                })
                .build();

        assertThat(Manifests.of(plan, options, Workload.PODS).toYaml()).doesNotContain("env:", "volumes:");
        assertThat(Manifests.of(plan, options, Workload.JOBS).toYaml())
                .contains("restartPolicy: OnFailure")
                .doesNotContain("backoffLimit", "podFailurePolicy");
    }

    @Test
    void a_tweak_that_leaves_no_containers_at_all_is_refused() {
        PodTemplates pods = tweaked(plan, pod -> pod.getSpec().setContainers(null));

        assertThatThrownBy(() -> pods.get("worker", 0))
                .isInstanceOf(RenderException.class)
                .hasMessage("job \"m\": worker: a pod tweak must return a pod with a container, returned one without");
    }

    @Test
    void no_pod_of_a_job_of_kubernetes_restarts_always() {
        JobPlan always = Job.named("m")
                .tensorflow()
                .image("i")
                .restart(RestartPolicy.ALWAYS)
                .workers(2)
                .build()
                .plan(Profile.KUBEFLOW_V1);

        for (Workload workload : List.of(Workload.JOBS, Workload.INDEXED_JOBS)) {
            assertThat(Manifests.of(always, PodOptions.none(), workload)
                            .objects(io.fabric8.kubernetes.api.model.batch.v1.Job.class))
                    .as("%s", workload)
                    .isNotEmpty()
                    .allSatisfy(job -> assertThat(
                                    job.getSpec().getTemplate().getSpec().getRestartPolicy())
                            .isEqualTo("OnFailure"));
        }
        assertThat(PodTemplates.of(always).get("worker", 0).getSpec().getRestartPolicy())
                .isEqualTo("Always");
    }

    @Test
    void a_values_length_counts_after_expansion() {
        // 140,000 bytes with doubled dollar signs; 70,000 after expansion.
        Job job = Job.named("m")
                .elasticdl()
                .image("i")
                .master()
                .workers(1)
                .env("A", "$$".repeat(35_000))
                .build();

        PodTemplateSpec pod = PodTemplates.of(job.plan()).get("worker", 0);

        assertThat(new ArrayList<>(pod.getSpec().getContainers().get(0).getEnv())
                        .get(0)
                        .getValue())
                .hasSize(140_000);
    }
}
