package dev.edl.operators.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.k8s.MockCluster;
import dev.edl.k8s.Polled;
import dev.edl.operators.controller.internal.JobAnnotations;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.InvalidResourceException;
import dev.edl.spec.Backoff;
import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.RunPolicy;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

@MockCluster
class JobAnnotationsTest {
    private static final String JOB = """
            apiVersion: tensorflow.org/v1alpha1
            kind: TfJob
            metadata:
              name: mnist
              annotations: {%s}
            spec:
              RuntimeId: 76no
              replicaSpecs:
              - template: {spec: {containers: [{name: tensorflow, image: "tf:1"}]}}
              - tfReplicaType: WORKER
                template: {spec: {containers: [{name: tensorflow, image: "tf:1"}]}}
            """;

    // The extension sets it.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    private static JobAnnotations wishes(String annotations) {
        return JobAnnotations.of(CustomObject.fromYaml(JOB.formatted(annotations)));
    }

    @Test
    void a_training_jobs_ignored_annotations_are_reported() {
        CustomObject job = CustomObject.fromYaml("""
                apiVersion: kai.alibabacloud.com/v1alpha1
                kind: TrainingJob
                metadata:
                  name: mnist
                  uid: u
                  annotations: {edl.dev/ttl: PT1H, other.dev/deadline: PT8H}
                spec:
                  etReplicaSpecs:
                    launcher:
                      replicas: 1
                      template: {spec: {containers: [{name: mnist, image: "horovod:1"}]}}
                    worker:
                      replicas: 2
                      minReplicas: 1
                      maxReplicas: 3
                      template: {spec: {containers: [{name: mnist, image: "horovod:1"}]}}
                """);

        assertThat(ConvertedTrainingJob.of(job, "busybox:1").losses())
                .contains("metadata.annotations.edl.dev/ttl \"PT1H\", which is for TfJobs and MxJobs")
                .doesNotContain("deadline");
    }

    @Test
    void annotations_set_what_the_resource_has_no_field_for() {
        Job job = wishes("edl.dev/cleanup: all, edl.dev/ttl: PT1H, edl.dev/deadline: PT8H, edl.dev/backoff: PT10S,"
                        + " edl.dev/relaunch-limit: \"7\"")
                .onto(Job.named("mnist")
                        .tensorflow()
                        .image("tf:1")
                        .master()
                        .workers(2)
                        .build());

        assertThat(job.spec().policy())
                .isEqualTo(RunPolicy.builder()
                        .cleanup(CleanupPolicy.ALL)
                        .ttl(Duration.ofHours(1))
                        .deadline(Duration.ofHours(8))
                        .backoff(Backoff.doubling(Duration.ofSeconds(10), Duration.ofMinutes(5)))
                        .build());
        assertThat(job.roles())
                .allSatisfy(role -> assertThat(role.template().relaunchLimit()).hasValue(7));
    }

    @Test
    void every_mistake_is_named() {
        assertThatThrownBy(() -> wishes("edl.dev/cleanup: some, edl.dev/ttl: 1h, edl.dev/relaunch-limit: \"-1\""))
                .isInstanceOfSatisfying(
                        InvalidResourceException.class,
                        e -> assertThat(e.problems())
                                .isEqualTo(List.of(
                                        "TfJob \"mnist\": metadata.annotations.edl.dev/ttl must be a duration such as PT1H30M, was"
                                                + " \"1h\"",
                                        "TfJob \"mnist\": metadata.annotations.edl.dev/cleanup must be one of none, running, all,"
                                                + " was \"some\"",
                                        "TfJob \"mnist\": metadata.annotations.edl.dev/relaunch-limit must be a number such as 3,"
                                                + " was \"-1\"")));
    }

    @Test
    void an_expired_job_is_deleted_by_this_or_the_next_controller() {
        try (Trial trial = new Trial(client)) {
            trial.create(JOB.formatted("edl.dev/ttl: PT0.5S"));
            trial.running("mnist-master-76no-0");
            trial.stop();
            trial.ended("mnist-master-76no-0", 0, "Completed");
            trial.restart();

            Polled.gone(trial.tfJob("mnist"));
            assertThat(client.configMaps().inNamespace("test").list().getItems())
                    .isEmpty();
        }
    }

    @Test
    void an_ended_job_without_record_is_deleted_after_its_ttl() {
        try (Trial trial = new Trial(client)) {
            trial.create(JOB.formatted("edl.dev/ttl: PT24H"));
            trial.create(JOB.formatted("edl.dev/ttl: PT0.5S").replace("mnist", "short"));
            trial.stop();
            client.configMaps().inNamespace("test").delete();
            for (String job : List.of("mnist", "short")) {
                trial.tfJob(job).editStatus(there -> {
                    there.setAdditionalProperty("status", Map.of("phase", "Done", "state", "Succeeded"));
                    return there;
                });
            }
            trial.restart();

            Polled.gone(trial.tfJob("short"));
            // Its pass is over too.
            trial.create(JOB.formatted("edl.dev/ttl: PT24H").replace("mnist", "later"));
            trial.pod("later-master-76no-0");
            assertThat(trial.tfJob("mnist").get()).isNotNull();
        }
    }

    @Test
    void an_ended_job_with_an_unreadable_record_stays() throws InterruptedException {
        CountDownLatch told = new CountDownLatch(1);
        Logger logger = Logger.getLogger(Controller.class.getName());
        logger.setFilter(line -> {
            if (line.getMessage().startsWith("TfJob test/mnist has ended; left unchanged: ")) {
                told.countDown();
            }
            return true;
        });
        try (Trial trial = new Trial(client)) {
            trial.create(JOB.formatted("edl.dev/ttl: PT24H"));
            trial.running("mnist-master-76no-0");
            trial.ended("mnist-master-76no-0", 0, "Completed");
            trial.awaitPhase(trial.tfJob("mnist"), "Done");
            trial.stop();
            client.configMaps()
                    .inNamespace("test")
                    .withName("edl-job-mnist")
                    .edit(map -> map.edit()
                            .addToBinaryData("state.gz", "bm8gc3RhdGU=")
                            .build());
            trial.restart();

            assertThat(told.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(trial.tfJob("mnist").get()).isNotNull();
        } finally {
            logger.setFilter(null);
        }
    }

    @Test
    void an_ended_status_prevents_a_rerun_despite_an_open_record() {
        try (Trial trial = new Trial(client)) {
            trial.create(JOB.formatted("edl.dev/cleanup: running"));
            trial.running("mnist-master-76no-0");
            trial.running("mnist-worker-76no-0");
            trial.awaitPhase(trial.tfJob("mnist"), "Running");
            trial.stop();
            Map<String, Object> ended = Map.of("phase", "Done", "state", "Failed", "reason", "it could not be kept");
            trial.tfJob("mnist").editStatus(there -> {
                there.setAdditionalProperty("status", ended);
                return there;
            });
            trial.restart();

            Polled.gone(client.pods().inNamespace("test").withName("mnist-worker-76no-0"));
            Polled.gone(client.pods().inNamespace("test").withName("mnist-master-76no-0"));
            assertThat(trial.await(trial.tfJob("mnist"), status -> true)).isEqualTo(ended);
        }
    }

    @Test
    void the_cleanup_annotation_removes_running_pods_at_the_end() {
        try (Trial trial = new Trial(client)) {
            trial.create(JOB.formatted("edl.dev/cleanup: running"));
            trial.running("mnist-master-76no-0");
            trial.running("mnist-worker-76no-0");
            trial.ended("mnist-master-76no-0", 0, "Completed");

            trial.awaitPhase(trial.tfJob("mnist"), "Done");
            Polled.gone(client.pods().inNamespace("test").withName("mnist-worker-76no-0"));
        }
    }
}
