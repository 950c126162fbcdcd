package dev.edl.operators.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.k8s.MockCluster;
import dev.edl.k8s.Polled;
import dev.edl.operators.crd.CustomObject;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** Objects whose requests are unanswered beside a healthy one, and the controller's metrics of them. */
@MockCluster
class StuckObjectsTest {
    private static final String JOB = """
            apiVersion: tensorflow.org/v1alpha1
            kind: TfJob
            metadata: {name: NAME, annotations: {}}
            spec: {}
            """;

    // The extension sets it.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    private final Set<String> served = ConcurrentHashMap.newKeySet();
    private final Semaphore answers = new Semaphore(0);

    /** TfJobs whose drivers wait for a response if their name marks them. */
    private final class Hanging implements ManagedKind {
        @Override
        public CustomResourceDefinition definition() {
            return JobKinds.tfJob().definition();
        }

        @Override
        public ObjectDriver open(CustomObject object, ObjectDriverContext context) {
            return new ObjectDriver() {
                @Override
                public Optional<Duration> reconcile(CustomObject now) {
                    if (now.name().startsWith("stuck")) {
                        answers.acquireUninterruptibly();
                    }
                    served.add(now.name());
                    return Optional.empty();
                }

                @Override
                public void close() {}
            };
        }
    }

    @Test
    void twelve_stuck_objects_stop_no_other_one() {
        try (Trial trial = new Trial(client, List.of(new Hanging()))) {
            trial.stop();
            for (int i = 0; i < 12; i++) {
                trial.create(JOB.replace("NAME", "stuck-" + i));
            }
            trial.create(JOB.replace("NAME", "well"));
            trial.restart();
            Polled.until("the object that is well is served", () -> served.contains("well"));
            assertThat(served).containsExactly("well");
            Polled.until("all others are stuck", () -> trial.metrics().stuckPasses() == 12);
            assertThat(trial.metrics().live()).isTrue();
            answers.release(12);
            Polled.until("all are served", () -> served.size() == 13);
        }
    }

    @Test
    void the_age_of_a_watch_does_not_start_at_the_first_query() {
        try (Trial trial = new Trial(client)) {
            trial.create(JOB.replace("NAME", "invalid"));
            trial.awaitPhase(trial.tfJob("invalid"), "Failed");

            assertThat(trial.metrics().watches().values()).allMatch(age -> age.compareTo(Duration.ZERO) > 0);
        }
    }

    @Test
    void failures_are_counted_by_cause() {
        try (Trial trial = new Trial(client)) {
            trial.create(JOB.replace("NAME", "invalid"));
            trial.awaitPhase(trial.tfJob("invalid"), "Failed");

            assertThat(trial.metrics().refusals()).containsEntry("invalid", 1L).containsEntry("quota", 0L);
            assertThat(trial.metrics().ready()).isTrue();
            assertThat(trial.metrics().watches()).hasSize(2);
        }
    }

    @Test
    void a_job_beyond_the_replica_limit_gets_a_status_and_no_pod() {
        try (Trial trial = new Trial(client)) {
            trial.create("""
                    apiVersion: mxnet.mlkube.io/v1beta1
                    kind: MxJob
                    metadata: {name: bomb, annotations: {}}
                    spec:
                      jobMode: dist
                      replicaSpecs:
                      - mxReplicaType: SCHEDULER
                        PsRootPort: 9000
                        template: {spec: {containers: [{name: mxnet, image: "mx:1"}]}}
                      - mxReplicaType: SERVER
                        template: {spec: {containers: [{name: mxnet, image: "mx:1"}]}}
                      - mxReplicaType: WORKER
                        replicas: 99000
                        template: {spec: {containers: [{name: mxnet, image: "mx:1"}]}}
                    """);

            assertThat(trial.await(
                            trial.object("MxJob", "bomb"), status -> !"".equals(status.getOrDefault("reason", ""))))
                    .containsEntry(
                            "reason",
                            "MxJob bomb may have 99002 replicas, and this controller accepts at most 1000; make the job"
                                    + " smaller, or start the controller with --max-replicas-per-job and a greater number");
            assertThat(client.pods().inNamespace("test").list().getItems()).isEmpty();
            assertThat(trial.metrics().jobs()).isZero();
        }
    }
}
