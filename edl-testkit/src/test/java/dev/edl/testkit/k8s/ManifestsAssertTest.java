package dev.edl.testkit.k8s;

import static dev.edl.testkit.k8s.ManifestAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.k8s.render.Manifests;
import dev.edl.k8s.render.PodOptions;
import dev.edl.plan.Profile;
import io.fabric8.kubernetes.api.model.Service;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManifestsAssertTest {
    private static final String WHO = "manifests of job \"mnist\": ";

    private final Job job =
            Job.named("mnist").image("mnist:1").tensorflow().ps(1).workers(2).build();
    private final Manifests manifests = Manifests.of(job.plan(Profile.KUBEFLOW_V1));
    private final Manifests asking = Manifests.of(
            job.plan(),
            PodOptions.builder()
                    .apiAccess("", "pods", "get", "delete")
                    .apiAccess("batch", "jobs", "get")
                    .build());

    private static void fails(ThrowingCallable assertion, String message) {
        assertThatThrownBy(assertion).isInstanceOf(AssertionError.class).hasMessage(message);
    }

    @Test
    void assertions_that_hold_chain() {
        List<String> ports = new ArrayList<>();
        assertThat(manifests)
                .hasObjects(
                        "Service default/mnist-ps-0",
                        "Service default/mnist-worker-0",
                        "Service default/mnist-worker-1",
                        "Pod default/mnist-ps-0",
                        "Pod default/mnist-worker-0",
                        "Pod default/mnist-worker-1")
                .has("Service", "mnist-ps-0")
                .hasCount("Pod", 3)
                .doesNotHave("Role")
                .object(
                        Service.class,
                        "mnist-ps-0",
                        service -> ports.add(
                                service.getSpec().getPorts().get(0).getPort().toString()))
                .eachPod(pod -> pod.hasImage("mnist:1").isRestricted())
                .grantsAtMost();
        assertThat(ports).containsExactly("2222");
        assertThat(asking)
                .grants("get jobs.batch")
                .grantsAtMost("get pods", "delete pods", "get jobs.batch", "list pods")
                .eachPod(pod -> pod.hasServiceAccount("elasticdl-mnist"));
    }

    @Test
    void objects() {
        fails(
                () -> assertThat(manifests).has("Service", "mnist-ps0"),
                WHO
                        + "expected a Service \"mnist-ps0\"; did you mean \"mnist-ps-0\"? There are mnist-ps-0, mnist-worker-0,"
                        + " mnist-worker-1");
        fails(
                () -> assertThat(manifests).has("Servce", "mnist-ps-0"),
                WHO
                        + "expected a Servce \"mnist-ps-0\", but there is no Servce; did you mean \"Service\"? There are Pod,"
                        + " Service");
        fails(
                () -> assertThat(manifests).object(Service.class, "x", service -> {}),
                WHO + "expected a Service \"x\"; there are mnist-ps-0, mnist-worker-0, mnist-worker-1");
        fails(() -> assertThat(manifests).hasCount("Pod", 2), WHO + "expected number of Pod objects 2, was 3");
        fails(
                () -> assertThat(manifests).doesNotHave("Pod"),
                WHO + "expected no Pod, was \"mnist-ps-0\", \"mnist-worker-0\", \"mnist-worker-1\"");
        fails(
                () -> assertThat(Manifests.of(
                                job.toBuilder().ps(1).workers(1).build().plan(Profile.KUBEFLOW_V1)))
                        .hasObjects("Pod default/mnist-ps-0"),
                WHO + "expected objects \"Pod default/mnist-ps-0\", was \"Service default/mnist-ps-0\","
                        + " \"Service default/mnist-worker-0\", \"Pod default/mnist-ps-0\", \"Pod default/mnist-worker-0\"");
        fails(() -> assertThat((Manifests) null).has("Pod", "x"), "\nExpecting actual not to be null");
    }

    @Test
    void pods_are_named_by_their_labels() {
        fails(
                () -> assertThat(manifests).as("nightly").eachPod(pod -> pod.hasImage("mnist:2")),
                "[nightly] pod of job \"mnist\", ps 0, container tensorflow: expected image \"mnist:2\", was \"mnist:1\"");
    }

    @Test
    void grants() {
        fails(
                () -> assertThat(asking).grantsAtMost("get pods"),
                WHO + "expected to grant at most \"get pods\", grants also \"delete pods\", \"get jobs.batch\"");
        fails(
                () -> assertThat(asking).grantsAtMost(),
                WHO + "expected to grant nothing, grants \"delete pods\", \"get jobs.batch\", \"get pods\"");
        fails(
                () -> assertThat(asking).grants("get job.batch"),
                WHO + "expected to grant \"get job.batch\"; did you mean \"get jobs.batch\"? There are delete pods,"
                        + " get jobs.batch, get pods");
    }

    @Test
    void a_golden_file_has_no_run_id_that_was_derived(@TempDir Path directory) throws IOException {
        for (Profile profile : List.of(Profile.TFJOB_V1ALPHA1, Profile.KUBEFLOW_V1)) {
            Path file = directory.resolve(profile + ".yaml");
            Files.writeString(
                    file,
                    Manifests.of(job.plan(profile))
                            .toYaml()
                            .replace(job.plan(profile).runId(), "<run id>"));
            assertThat(Manifests.of(job.plan(profile))).matchesGolden(file);
        }
        Job other = job.toBuilder().ps(1).image("mnist:2").build();
        assertThatThrownBy(() -> assertThat(Manifests.of(other.plan(Profile.TFJOB_V1ALPHA1)))
                        .matchesGolden(directory.resolve(Profile.TFJOB_V1ALPHA1 + ".yaml")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("mnist:2")
                .hasMessageNotContainingAny(
                        job.plan(Profile.TFJOB_V1ALPHA1).runId(),
                        other.plan(Profile.TFJOB_V1ALPHA1).runId());
    }

    @Test
    void failures_are_collected_softly() {
        KubernetesSoftAssertions softly = new KubernetesSoftAssertions();
        softly.assertThat(manifests)
                .has("Service", "x")
                .eachPod(pod -> pod.hasImage("mnist:2").container("none").hasImage("mnist:3"))
                .grants("get pods");
        softly.assertThat(job).hasName("m");
        softly.assertThat("a").isEqualTo("a");
        assertThat(softly.assertionErrorsCollected().stream()
                        .map(failure -> String.valueOf(failure.getMessage())
                                .lines()
                                .findFirst()
                                .orElse("")))
                .containsExactly(
                        WHO + "expected a Service \"x\"; there are mnist-ps-0, mnist-worker-0, mnist-worker-1",
                        "pod of job \"mnist\", ps 0, container tensorflow: expected image \"mnist:2\", was \"mnist:1\"",
                        "pod of job \"mnist\", ps 0: expected a container \"none\"; there are tensorflow",
                        "pod of job \"mnist\", worker 0, container tensorflow: expected image \"mnist:2\", was \"mnist:1\"",
                        "pod of job \"mnist\", worker 0: expected a container \"none\"; there are tensorflow",
                        "pod of job \"mnist\", worker 1, container tensorflow: expected image \"mnist:2\", was \"mnist:1\"",
                        "pod of job \"mnist\", worker 1: expected a container \"none\"; there are tensorflow",
                        WHO + "expected to grant \"get pods\"; there are none",
                        "job \"mnist\": expected name \"m\", was \"mnist\"");
    }
}
