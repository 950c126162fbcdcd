package dev.edl.k8s.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.k8s.render.internal.ManifestYaml;
import dev.edl.plan.JobPlan;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.AffinityBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.ResourceClaim;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PodOptionsTest {
    private final JobPlan plan = Job.named("m")
            .runId("r")
            .image("i")
            .volume("mount_path=/data,claim_name=c")
            .master()
            .workers(2)
            .gpu(1)
            .build()
            .plan();

    @Test
    void every_option_is_in_the_pod() {
        PodOptions options = PodOptions.builder()
                .serviceAccount("trainer")
                .imagePullSecret("registry")
                .imagePullPolicy("Always")
                .scheduler("bin-packer")
                .hostNetwork()
                .runAsUser(1000)
                .fsGroup(2000)
                .label("team", "vision")
                .annotation("sidecar.istio.io/inject", "false")
                .secretEnv("AWS_SECRET_ACCESS_KEY", "s3", "secret")
                .secretEnv("tokens")
                .secretVolume("tls", "/tls")
                .configMapVolume("settings", "/settings")
                .memoryVolume("/dev/shm", "8Gi")
                .volume(
                        new VolumeBuilder()
                                .withName("scratch")
                                .withNewEmptyDir()
                                .endEmptyDir()
                                .build(),
                        "/scratch",
                        false)
                .initContainer(container("fetch"))
                .sidecar(container("log"))
                .role(
                        "worker",
                        worker -> worker.accelerator(
                                        Accelerator.nvidia(1).onNodes("nvidia.com/gpu.product", "Tesla-T4"))
                                .toleration("nvidia.com/gpu", "NoSchedule")
                                .nodeSelector("pool", "gpu")
                                .affinity(new AffinityBuilder()
                                        .withNewPodAntiAffinity()
                                        .endPodAntiAffinity()
                                        .build()))
                .build();

        Golden.assertSame(
                "options.yaml", ManifestYaml.one(PodTemplates.of(plan, options).get("worker", 0)));
    }

    @Test
    void a_role_s_single_settings_replace_the_job_s_and_its_lists_are_added() {
        PodOptions options = PodOptions.builder()
                .scheduler("a")
                .nodeSelector("pool", "cpu")
                .nodeSelector("disk", "ssd")
                .toleration("a", "NoSchedule")
                .role("worker", w -> w.scheduler("b").nodeSelector("pool", "gpu"))
                .role("worker", w -> w.toleration("b", "NoExecute"))
                .build();
        PodTemplateSpec worker = PodTemplates.of(plan, options).get("worker", 0);
        PodTemplateSpec master = PodTemplates.of(plan, options).get("master", 0);

        assertThat(worker.getSpec().getSchedulerName()).isEqualTo("b");
        assertThat(worker.getSpec().getNodeSelector()).isEqualTo(Map.of("pool", "gpu", "disk", "ssd"));
        assertThat(worker.getSpec().getTolerations())
                .extracting(Toleration::getKey)
                .containsExactly("a", "b");
        assertThat(master.getSpec().getSchedulerName()).isEqualTo("a");
        assertThat(master.getSpec().getNodeSelector()).isEqualTo(Map.of("pool", "cpu", "disk", "ssd"));
    }

    @Test
    void each_pod_has_claims_of_the_templates() {
        PodOptions options = PodOptions.builder()
                .resourceClaim("one-gpu")
                .role("worker", w -> w.resourceClaim("rdma.nic").resourceClaim("one-gpu"))
                .build();

        PodSpec worker = PodTemplates.of(plan, options).get("worker", 0).getSpec();
        PodSpec master = PodTemplates.of(plan, options).get("master", 0).getSpec();

        assertThat(worker.getResourceClaims())
                .containsExactly(
                        new PodResourceClaim("claim-one-gpu", null, "one-gpu"),
                        new PodResourceClaim("claim-rdma-nic", null, "rdma.nic"));
        assertThat(worker.getContainers().get(0).getResources().getClaims())
                .containsExactly(new ResourceClaim("claim-one-gpu", null), new ResourceClaim("claim-rdma-nic", null));
        assertThat(worker.getContainers().get(0).getResources().getLimits()).containsKey("nvidia.com/gpu");
        assertThat(master.getResourceClaims()).hasSize(1);
        assertThat(options).hasToString("PodOptions resourceClaim; worker: resourceClaim x 2");
        assertThat(options.applyTo(RoleType.MASTER, new PodTemplateSpec(null, master(new Container())))
                        .getSpec())
                .extracting(
                        PodSpec::getResourceClaims,
                        spec -> spec.getContainers().get(0).getResources().getClaims())
                .containsExactly(
                        master.getResourceClaims(),
                        master.getContainers().get(0).getResources().getClaims());
    }

    private static PodSpec master(Container container) {
        return new PodSpecBuilder().withContainers(container).build();
    }

    @Test
    void a_topology_is_that_of_the_role_and_not_of_others_that_request_the_same() {
        PodOptions options = PodOptions.builder()
                .queue("team-a")
                .role("worker", w -> w.requiredTopology("example.com/rack"))
                .role("master", m -> m.preferredTopology("example.com/block"))
                .build();
        PodTemplates pods = PodTemplates.of(plan, options);

        assertThat(pods.get("worker", 0).getMetadata().getAnnotations())
                .containsEntry("kueue.x-k8s.io/podset-required-topology", "example.com/rack")
                .containsEntry("kueue.x-k8s.io/role-hash", "worker");
        assertThat(pods.get("master", 0).getMetadata().getAnnotations())
                .containsEntry("kueue.x-k8s.io/podset-preferred-topology", "example.com/block")
                .containsEntry("kueue.x-k8s.io/role-hash", "master");
        assertThatThrownBy(() -> PodOptions.builder().requiredTopology("a rack"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a topology level must have the form name or domain/name, was \"a rack\"; for example"
                        + " example.com/rack");
    }

    @Test
    void later_changes_of_the_caller_change_no_pod() {
        Toleration toleration = new TolerationBuilder().withKey("a").build();
        PodTemplates pods = PodTemplates.of(
                plan, PodOptions.builder().toleration(toleration).build());

        toleration.setKey("b");
        pods.get("master", 0).getSpec().getTolerations().get(0).setKey("c");

        assertThat(pods.get("master", 0).getSpec().getTolerations().get(0).getKey())
                .isEqualTo("a");
    }

    @Test
    void tweaks_apply_last_and_the_jobs_before_the_roles() {
        PodOptions options = PodOptions.builder()
                .role(
                        "worker",
                        w -> w.pod(pod -> {
                            pod.getSpec().setHostname(pod.getSpec().getHostname() + "-worker");
                            return pod;
                        }))
                .pod(pod -> new PodTemplateSpecBuilder(pod)
                        .editSpec()
                        .withHostname("host")
                        .endSpec()
                        .build())
                .build();

        assertThat(PodTemplates.of(plan, options).get("worker", 0).getSpec().getHostname())
                .isEqualTo("host-worker");
        assertThat(PodTemplates.of(plan, options)
                        .shared("worker")
                        .orElseThrow()
                        .getSpec()
                        .getHostname())
                .isEqualTo("host-worker");
    }

    @Test
    void a_tweak_cannot_remove_the_pod_or_its_labels() {
        PodTemplates none = PodTemplates.of(
                plan, PodOptions.builder().pod(PodOptionsTest::lost).build());
        PodTemplates unlabelled = PodTemplates.of(
                plan,
                PodOptions.builder()
                        .pod(pod -> {
                            pod.getMetadata().getLabels().remove("elasticdl-replica-index");
                            return pod;
                        })
                        .build());

        assertThatThrownBy(() -> none.get("worker", 0))
                .isInstanceOf(RenderException.class)
                .hasMessage("job \"m\": worker: a pod tweak must return a pod with a container, returned one without");
        assertThatThrownBy(() -> unlabelled.get("worker", 0))
                .isInstanceOf(RenderException.class)
                .hasMessage("job \"m\": worker: a pod tweak must leave the label elasticdl-replica-index=0, by which"
                        + " the job finds its pods");
    }

    @Test
    void every_mistake_against_the_job_is_in_one_exception() {
        PodOptions options = PodOptions.builder()
                .role("ps", ps -> ps.hostNetwork())
                .role(
                        "worker",
                        w -> w.secretEnv("WORKER_ID", "s", "k")
                                .label("app", "mine")
                                .secretVolume("s", "/data")
                                .sidecar(container("elasticdl"))
                                .accelerator(Accelerator.nvidia(2)))
                .tfImage("tf")
                .build();

        assertThatThrownBy(() -> PodTemplates.of(plan, options))
                .isInstanceOf(RenderException.class)
                .hasMessage("""
                        job "m": options are set for ps, a role that the job does not have; it has master, worker
                        job "m": tfImage is for profile TFJOB_V1ALPHA1, the plan's is ELASTICDL; leave it out
                        job "m": worker.secretEnv WORKER_ID is already a variable of the pod; set it once
                        job "m": worker.label app is already a label of the pod; choose another key, for example team
                        job "m": worker: /data must be mounted once, is mounted twice
                        job "m": worker: each container must have its own name, was "elasticdl" twice or none
                        job "m": worker requests nvidia.com/gpu=1 but has the accelerator nvidia.com/gpu=2; set the\
                         number once""");
    }

    @Test
    void a_form_that_kubernetes_does_not_take_is_refused_at_once() {
        PodOptions.Builder options = PodOptions.builder();

        assertThatThrownBy(() -> options.serviceAccount("Trainer"))
                .hasMessage("a service account must be a DNS subdomain of at most 253 characters, was \"Trainer\"; for"
                        + " example trainer");
        assertThatThrownBy(() -> options.label("a b", "c"))
                .hasMessage("a label must have the form name or domain/name, was \"a b\"; for example team");
        assertThatThrownBy(() -> options.toleration("k", "Never"))
                .hasMessage("a taint's effect must be NoSchedule, PreferNoSchedule or NoExecute, was \"Never\"");
        assertThatThrownBy(() -> options.apiAccess("", "pods", "*"))
                .hasMessage("apiAccess must name what the job needs, was \"pods\" and [*]; for example apiAccess(\"\","
                        + " \"pods\", \"get\", \"list\")");
        assertThatThrownBy(() -> options.priorityClass("system-x", 1))
                .hasMessage("priority class \"system-x\" must be at most 1000000000 and not begin with system-, which"
                        + " are Kubernetes' own, was 1; for example high, 1000000");
        assertThatThrownBy(() -> options.secretEnv("A", "s", "a b"))
                .hasMessage("a key of a Secret must be at most 253 letters, digits, dashes, dots and underscores, was"
                        + " \"a b\"; for example secret");
        assertThatThrownBy(() -> options.secretVolume("s", "/a/../b"))
                .hasMessage("a mount path must be absolute, without : and .., was \"/a/../b\"; for example /data");
        assertThatThrownBy(() -> options.memoryVolume("/dev/shm", "8GB"))
                .hasMessage(
                        "a size must be a number of bytes of at least 0, with one of Ki Mi Gi Ti Pi Ei k M G T P E or"
                                + " without, was \"8GB\"; for example 8Gi");
        assertThatThrownBy(() -> options.role("boss", role -> {}))
                .hasMessage("\"boss\" is not a role; roles are master, chief, ps, worker, evaluator, scheduler, server,"
                        + " launcher");
    }

    @Test
    void a_variable_that_is_too_long_for_linux_is_refused_with_a_fix() {
        PodTemplates pods = PodTemplates.of(
                plan,
                PodOptions.builder()
                        .sidecar(new ContainerBuilder(container("log"))
                                .addNewEnv()
                                .withName("A")
                                .withValue("x".repeat(131_070))
                                .endEnv()
                                .build())
                        .build());

        assertThatThrownBy(() -> pods.get("worker", 0))
                .isInstanceOf(RenderException.class)
                .hasMessage("job \"m\": worker: environment variable A of container log takes 131073 bytes; Linux takes"
                        + " at most 131072; put the value into a file on a volume and pass its path");
    }

    @Test
    void annotations_that_are_too_large_are_refused_with_a_fix() {
        PodTemplates pods = PodTemplates.of(
                plan, PodOptions.builder().annotation("a", "é".repeat(131_072)).build());

        assertThatThrownBy(() -> pods.get("worker", 0))
                .isInstanceOf(RenderException.class)
                .hasMessage("job \"m\": worker: annotations take 262145 bytes; Kubernetes takes at most 262144; put the"
                        + " text into a ConfigMap and mount that");
    }

    @Test
    void volumes_are_named_after_their_content_within_the_length_limit() {
        PodTemplateSpec pod = PodTemplates.of(
                        plan,
                        PodOptions.builder()
                                .memoryVolume("/dev/shm/", "8Gi")
                                .memoryVolume("/cache_", "1Gi")
                                .secretVolume("s".repeat(60), "/s")
                                .build())
                .get("master", 0);

        assertThat(pod.getSpec().getVolumes())
                .extracting(Volume::getName)
                .containsExactly("volume-0", "memory-dev-shm", "memory-cache", "secret-" + "s".repeat(56));
        assertThat(pod.getSpec().getContainers().get(0).getVolumeMounts())
                .extracting(VolumeMount::getMountPath)
                .containsExactly("/data", "/dev/shm", "/cache_", "/s");
    }

    @Test
    void options_that_can_never_run_are_refused() {
        PodOptions options = PodOptions.builder()
                .gang(Gang.coscheduling().members(4))
                .nodeSelector("nvidia.com/gpu.product", "Tesla-T4")
                .role("worker", w -> w.accelerator(Accelerator.nvidia(1).onNodes("nvidia.com/gpu.product", "A100")))
                .build();

        assertThatThrownBy(() -> PodTemplates.of(plan, options))
                .isInstanceOf(RenderException.class)
                .hasMessage("""
                        job "m": a gang of 4 would never start, because the job has 3 replicas; omit members to use the\
                         job's minimum
                        job "m": worker: no node has both nvidia.com/gpu.product=Tesla-T4 and\
                         nvidia.com/gpu.product=A100; select one of them""");
    }

    @Test
    void a_pull_secret_appears_once() {
        PodTemplateSpec pod = PodTemplates.of(
                        plan,
                        PodOptions.builder()
                                .imagePullSecret("registry")
                                .role("worker", w -> w.imagePullSecret("registry"))
                                .build())
                .get("worker", 0);

        assertThat(pod.getSpec().getImagePullSecrets())
                .extracting(LocalObjectReference::getName)
                .containsExactly("registry");
    }

    private static PodTemplateSpec lost(PodTemplateSpec pod) {
        pod.getSpec().getContainers().clear();
        return pod;
    }

    private static Container container(String name) {
        return new ContainerBuilder().withName(name).withImage("busybox:1").build();
    }

    @Test
    void to_builder_keeps_the_options() {
        PodOptions options = PodOptions.builder()
                .queue("team-a")
                .tfImage("a:1")
                .kubexec()
                .tensorBoard(TensorBoard.of("/logs"))
                .priorityClass("high", 1000)
                .label("team", "vision")
                .role("worker", w -> w.nodeSelector("disk", "ssd").toleration("gpu", "NoSchedule"))
                .build();

        PodOptions more = options.toBuilder()
                .role("worker", w -> w.nodeSelector("disk", "hdd").toleration("spot", "NoSchedule"))
                .build();

        assertThat(more.nonPodOptions()).isEqualTo(options.nonPodOptions()).hasSize(5);
        PodSettings worker = more.of(RoleType.WORKER);
        assertThat(worker.labels()).containsEntry("team", "vision");
        assertThat(worker.nodeSelector()).containsOnly(Map.entry("disk", "hdd"));
        assertThat(worker.tolerations()).extracting(Toleration::getKey).containsExactly("gpu", "spot");
        assertThat(options.of(RoleType.WORKER).tolerations()).hasSize(1);
    }

    @Test
    @SuppressWarnings("NullAway") // what a caller without null checks may hand in
    void null_is_refused_with_its_parameter() {
        assertThat(Stream.<Consumer<PodOptions.Builder>>of(
                                options -> options.role(null, w -> {}),
                                options -> options.role("worker", null),
                                options -> options.toleration((Toleration) null),
                                options -> options.toleration(null, "NoSchedule"),
                                options -> options.toleration("nvidia.com/gpu", null),
                                options -> options.sidecar(null),
                                options -> options.initContainer(null),
                                options -> options.imagePullSecret(null),
                                options -> options.imagePullPolicy(null),
                                options -> options.label("team", null),
                                options -> options.annotation("team", null),
                                options -> options.memoryVolume("/dev/shm", null),
                                options -> options.memoryVolume(null, "8Gi"),
                                options -> options.apiAccess("", "pods", (String) null),
                                options -> options.gang(null),
                                options -> options.tensorBoard(null),
                                options -> options.owner(null))
                        .map(setting -> assertThatThrownBy(() -> setting.accept(PodOptions.builder()))
                                .isInstanceOf(NullPointerException.class)
                                .actual()
                                .getMessage()))
                .containsExactly(
                        "a role must not be null",
                        "the settings of a role must not be null",
                        "a toleration must not be null",
                        "a taint must not be null",
                        "a taint's effect must not be null",
                        "a sidecar must not be null",
                        "an init container must not be null",
                        "an image pull secret must not be null",
                        "an image pull policy must not be null",
                        "a label's value must not be null",
                        "an annotation's value must not be null",
                        "a size must not be null",
                        "a mount path must not be null",
                        "a verb must not be null",
                        "a gang must not be null",
                        "a TensorBoard must not be null",
                        "an owner must not be null");
    }

    @Test
    void options_have_a_one_line_text() {
        PodOptions options = PodOptions.builder()
                .imagePullSecret("registry")
                .queue("team-a")
                .runAsUser(1000)
                .secretEnv("TOKEN", "s3", "secret")
                .role(
                        "worker",
                        w -> w.toleration("a", "NoSchedule")
                                .toleration("b", "NoSchedule")
                                .pod(template -> template))
                .build();

        assertThat(options)
                .hasToString("PodOptions imagePullSecret, secretEnv, runAsUser 1000, queue team-a;"
                        + " worker: toleration x 2, pod");
        assertThat(PodOptions.none()).hasToString("PodOptions of nothing");
    }
}
