package dev.edl.operators.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.k8s.MockCluster;
import dev.edl.k8s.Polled;
import dev.edl.k8s.render.TfJobOperatorConfig;
import dev.edl.operators.crd.CustomObject;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A loop that ended by an exception is not restarted at once, even if each take-over succeeds. */
@MockCluster
class BrokenLoopTest {
    private static final String TF_JOB = """
            apiVersion: tensorflow.org/v1alpha1
            kind: TfJob
            metadata: {name: NAME, annotations: {}}
            spec:
              RuntimeId: 76no
              replicaSpecs:
              - tfReplicaType: MASTER
                template: {spec: {restartPolicy: OnFailure, containers: [{name: tensorflow, image: "tf:1"}]}}
            """;

    private static final String TRAINING_JOB = """
            apiVersion: kai.alibabacloud.com/v1alpha1
            kind: TrainingJob
            metadata: {name: NAME, namespace: test, annotations: {}}
            spec:
              etReplicaSpecs:
                launcher:
                  replicas: 1
                  template: {spec: {containers: [{name: launcher, image: "horovod:1"}]}}
                worker:
                  replicas: 1
                  template: {spec: {containers: [{name: worker, image: "horovod:1"}]}}
            """;

    private static final ManagedKind TF_KIND = JobKinds.tfJob(TfJobOperatorConfig.parse("{}"));

    // The extension sets it.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @AfterEach
    void breaks_no_other_job() {
        BreakingScaling.BREAKS.clear();
    }

    private static Duration between(List<Long> began, int loop) {
        return Duration.ofNanos(began.get(loop) - began.get(loop - 1));
    }

    private void is_driven_again_with_growing_pauses(String job, String yaml, List<ManagedKind> kinds) {
        BreakingScaling.BREAKS.put(job, new IllegalStateException("of the test"));
        List<Long> began = BreakingScaling.began(job);
        try (Trial trial = new Trial(client, kinds)) {
            trial.create(yaml.replace("NAME", job));
            Polled.until("a third loop begins", () -> began.size() >= 3);

            assertThat(between(began, 1)).isGreaterThanOrEqualTo(Duration.ofMillis(200));
            assertThat(between(began, 2)).isGreaterThanOrEqualTo(Duration.ofMillis(400));
            assertThat(trial.metrics().refusals().get("other")).isGreaterThanOrEqualTo(2L);
        }
    }

    @Test
    void a_tf_job_whose_loops_break_is_driven_again_with_growing_pauses() {
        is_driven_again_with_growing_pauses("tf-breaks", TF_JOB, List.of(TF_KIND));
    }

    @Test
    void a_training_job_whose_loops_break_is_driven_again_with_growing_pauses() {
        is_driven_again_with_growing_pauses("et-breaks", TRAINING_JOB, JobKinds.trainingJob());
    }

    @Test
    void an_error_of_a_loop_is_handed_to_the_controllers_program() {
        BreakingScaling.BREAKS.put("error-breaks", new OutOfMemoryError("of the test"));
        AtomicReference<Error> error = new AtomicReference<>();
        WatchedKind.of(TF_KIND)
                .in(client)
                .inNamespace("test")
                .resource(CustomObject.fromYaml(TF_JOB.replace("NAME", "error-breaks"))
                        .toKubernetes())
                .create();
        try (Controller controller = Controller.using(client)
                .kind(TF_KIND)
                .namespaces("test")
                .identity("me")
                .onError(error::set)
                .start()) {
            Polled.until(controller + " tells it", () -> error.get() != null);
        }
        assertThat(error.get()).hasMessage("of the test");
    }
}
