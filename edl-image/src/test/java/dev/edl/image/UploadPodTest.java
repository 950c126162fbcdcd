package dev.edl.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.edl.Job;
import dev.edl.k8s.render.Accelerator;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.PodSecurity;
import dev.edl.program.ProgramJars;
import dev.edl.spec.Volume;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Toleration;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UploadPodTest {
    private static final Pod POD =
            UploadPod.pod("team", "edl-upload-1", "classes", "java:17", PodOptions.none(), "ab", 900);

    @Test
    void the_pod_meets_pod_security_restricted_and_ends_by_itself() {
        assertThat(PodSecurity.violations(
                        new PodTemplateSpecBuilder().withSpec(POD.getSpec()).build()))
                .isEmpty();
        assertThat(POD.getSpec().getActiveDeadlineSeconds()).isEqualTo(960);
        assertThat(POD.getSpec().getAutomountServiceAccountToken()).isFalse();
        assertThat(POD.getSpec().getRestartPolicy()).isEqualTo("Never");
    }

    @Test
    void the_pod_mounts_the_claim_for_user_1000_and_runs_java_alone() {
        Container receiver = POD.getSpec().getContainers().get(0);
        assertThat(POD.getSpec().getSecurityContext().getFsGroup()).isEqualTo(1000);
        assertThat(POD.getSpec().getVolumes().get(0).getPersistentVolumeClaim().getClaimName())
                .isEqualTo("classes");
        assertThat(receiver.getEnv()).extracting("name", "value").contains(tuple("LC_ALL", "C.UTF-8"));
        assertThat(receiver.getVolumeMounts().get(0).getMountPath()).isEqualTo("/edl/classes");
        assertThat(receiver.getCommand())
                .containsExactly(
                        "java",
                        "-Xmx32m",
                        "-cp",
                        "/edl/receiver/receiver.jar",
                        "dev.edl.image.ClassPathReceiver",
                        "/edl/classes",
                        "50003",
                        "900");
    }

    @Test
    void the_pod_takes_the_options_of_other_pods_that_concern_it() {
        PodOptions options = PodOptions.builder()
                .imagePullSecret("registry")
                .imagePullPolicy("Always")
                .nodeSelector("pool", "cpu")
                .toleration("dedicated", "NoSchedule")
                .runAsUser(2000)
                .label("team", "vision")
                .annotation("sidecar.istio.io/inject", "false")
                .memoryVolume("/scratch", "1Gi")
                .secretEnv("credentials")
                .hostNetwork()
                .role("master", master -> master.accelerator(Accelerator.nvidia(1)))
                .build();

        Pod pod = UploadPod.pod("team", "edl-upload-1", "classes", "java:17", options, "ab", 900);

        PodSpec spec = pod.getSpec();
        assertThat(spec.getImagePullSecrets())
                .extracting(LocalObjectReference::getName)
                .containsExactly("registry");
        assertThat(spec.getNodeSelector()).containsEntry("pool", "cpu");
        assertThat(spec.getTolerations()).extracting(Toleration::getKey).contains("dedicated");
        assertThat(spec.getSecurityContext().getRunAsUser()).isEqualTo(2000);
        assertThat(spec.getSecurityContext().getFsGroup()).isEqualTo(1000);
        assertThat(spec.getHostNetwork()).isNull();
        assertThat(pod.getMetadata().getLabels())
                .containsEntry("team", "vision")
                .containsEntry("app.kubernetes.io/managed-by", "edl");
        assertThat(pod.getMetadata().getAnnotations())
                .containsEntry("sidecar.istio.io/inject", "false")
                .containsEntry("kubectl.kubernetes.io/default-container", "receiver");
        Container receiver = spec.getContainers().get(0);
        assertThat(receiver)
                .isEqualTo(new ContainerBuilder(POD.getSpec().getContainers().get(0))
                        .withImagePullPolicy("Always")
                        .build());
        assertThat(PodSecurity.violations(
                        new PodTemplateSpecBuilder().withSpec(spec).build()))
                .isEmpty();
    }

    @Test
    void a_user_that_the_pod_cannot_have_is_refused() {
        for (long user : new long[] {0, 1L << 31}) {
            PodOptions options = PodOptions.builder().runAsUser(user).build();

            assertThatThrownBy(() -> UploadPod.pod("team", "edl-upload-1", "classes", "java:17", options, "ab", 900))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the user of the temporary pod must be from 1 to 2147483647, was " + user
                            + "; for example runAsUser(1000)");
        }
    }

    @Test
    void the_programs_of_pods_need_only_java(@TempDir Path folder) throws Exception {
        Pod created =
                new PodBuilder(POD).editMetadata().withUid("u-1").endMetadata().build();
        byte[] programs = Files.readAllBytes(ProgramJars.of(folder, ClassPathReceiver.PROGRAM.toArray(new Class<?>[0]))
                .file());
        ConfigMap receiver = UploadPod.receiver(created, programs);

        assertThat(receiver.getMetadata().getName()).isEqualTo("edl-upload-1");
        assertThat(receiver.getMetadata().getOwnerReferences()).singleElement().satisfies(owner -> {
            assertThat(owner.getKind()).isEqualTo("Pod");
            assertThat(owner.getUid()).isEqualTo("u-1");
        });
        Path jar = Files.write(
                folder.resolve("receiver.jar"),
                Base64.getDecoder().decode(receiver.getBinaryData().get("receiver.jar")));
        try (URLClassLoader alone =
                new URLClassLoader(new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
            for (String name : List.of("dev.edl.image.ClassPathReceiver", "dev.edl.image.VerifyingLauncher")) {
                Class<?> program = Class.forName(name, true, alone);
                assertThat(program.getClassLoader()).isSameAs(alone);
                assertThat(program.getMethod("main", String[].class)).isNotNull();
                assertThat(program.getDeclaredClasses()).isEmpty();
            }
        }
    }

    @Test
    void a_job_runs_the_program_of_the_claim() {
        ClaimedProgram program = new ClaimedProgram(
                "team", "classes", "acme.Mnist", List.of("--add-opens=a/b=ALL-UNNAMED"), List.of("01", "02"), 2, 10);

        Job job = program.on(Job.named("mnist"))
                .image("java:17")
                .args("5")
                .workers(2)
                .build();

        assertThat(job)
                .isEqualTo(Job.named("mnist")
                        .namespace("team")
                        .image("java:17")
                        .command(
                                "java",
                                "--add-opens=a/b=ALL-UNNAMED",
                                "-Duser.home=/tmp",
                                "-cp",
                                "/edl/classes/01.jar:/edl/classes/02.jar",
                                "dev.edl.image.VerifyingLauncher",
                                "acme.Mnist")
                        .args("5")
                        .volume(Volume.claim("classes", "/edl/classes").readOnly(true))
                        .workers(2)
                        .build());
    }
}
