package dev.edl.operators.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.k8s.MockCluster;
import dev.edl.k8s.Polled;
import dev.edl.k8s.Refused;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.et.TrainingJobStatuses;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A cluster that rejects the next pod of a running job is reported in metrics, status and Events of the object. */
@MockCluster
class RefusedWorkerTest {
    private static final String QUOTA =
            "pods is forbidden: exceeded quota: team, requested: pods=1, used: pods=2, limited: pods=2";

    private static final String TF_JOB = """
            apiVersion: tensorflow.org/v1alpha1
            kind: TfJob
            metadata: {name: example-job}
            spec:
              RuntimeId: 76no
              replicaSpecs:
              - tfReplicaType: MASTER
                template: {spec: {restartPolicy: OnFailure, containers: [{name: tensorflow, image: "tf:1"}]}}
              - tfReplicaType: WORKER
                template: {spec: {restartPolicy: OnFailure, containers: [{name: tensorflow, image: "tf:1"}]}}
            """;

    private static final String TRAINING_JOB = """
            apiVersion: kai.alibabacloud.com/v1alpha1
            kind: TrainingJob
            metadata: {name: elastic, namespace: test}
            spec:
              etReplicaSpecs:
                launcher:
                  replicas: 1
                  template: {spec: {containers: [{name: launcher, image: "horovod:1"}]}}
                worker:
                  replicas: 1
                  template: {spec: {containers: [{name: worker, image: "horovod:1"}]}}
            """;

    // The extension sets both.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    private boolean event(String kind, String name, String text) {
        return client.v1().events().inNamespace("test").list().getItems().stream()
                .filter((Event event) -> kind.equals(event.getInvolvedObject().getKind())
                        && name.equals(event.getInvolvedObject().getName()))
                .anyMatch(event -> event.getMessage().contains(text));
    }

    /** Returns the message of a true condition; empty when it is not true. */
    private static String holds(Map<String, Object> status, String type) {
        if (status.get("conditions") instanceof List<?> conditions) {
            for (Object one : conditions) {
                if (one instanceof Map<?, ?> condition
                        && type.equals(condition.get("type"))
                        && "True".equals(condition.get("status"))) {
                    return String.valueOf(condition.get("message"));
                }
            }
        }
        return "";
    }

    @Test
    void a_tf_job_reports_a_rejected_worker_until_it_is_created() {
        String worker = "example-job-worker-76no-0";
        String why = "could not create " + worker + ": " + QUOTA + "; raise the quota";
        try (Trial trial = new Trial(client)) {
            trial.create(TF_JOB);
            Resource<GenericKubernetesResource> job = trial.tfJob("example-job");
            trial.running("example-job-master-76no-0");
            trial.running(worker);
            trial.awaitPhase(job, "Running");
            Pod first = trial.pod(worker);
            Refused.create(server, "pods", 403, "Forbidden", QUOTA).times(2);
            trial.ended(worker, 137, "Error");

            assertThat(trial.await(job, status -> why.equals(status.get("reason"))))
                    .containsEntry("phase", "Running")
                    .containsEntry("state", "Running");
            Polled.until("an Event of the object", () -> event("TfJob", "example-job", why));
            assertThat(trial.metrics().refusedRequests().get("quota")).isBetween(1L, 2L);
            trial.successor(first);
            trial.await(job, status -> "".equals(status.get("reason")));
            assertThat(trial.metrics().refusedRequests())
                    .containsEntry("quota", 2L)
                    .containsEntry("server", 0L);
        }
    }

    @Test
    void a_training_job_reports_a_rejected_worker_until_it_is_created() {
        String why = "could not create elastic-worker-0: " + QUOTA + "; raise the quota";
        Refused.create(server, "pods", 403, "Forbidden", QUOTA).times(2);
        try (Trial trial = new Trial(client, JobKinds.trainingJob())) {
            trial.create(TRAINING_JOB);
            Resource<GenericKubernetesResource> job = trial.object(TrainingJobKind.KIND, "elastic");

            trial.await(job, status -> holds(status, "ReplicaFailure").contains(why));
            Polled.until("an Event of the object", () -> event("TrainingJob", "elastic", why));
            trial.running("elastic-worker-0");
            trial.running("elastic-launcher");
            assertThat(holds(trial.awaitPhase(job, "Running"), "Running")).isNotEmpty();
            trial.await(job, status -> holds(status, "ReplicaFailure").isEmpty());
            assertThat(trial.metrics().refusedRequests().get("quota")).isEqualTo(2L);
        }
    }

    @Test
    void an_ended_training_job_reports_no_rejections() {
        CustomObject job = CustomObject.fromYaml(TRAINING_JOB);
        Map<String, Object> ended = Map.of("phase", "Succeeded", "completionTime", "2026-01-01T00:00:00Z");

        assertThat(TrainingJobStatuses.troubled(ended, "no", Instant.EPOCH)).isEqualTo(ended);
        assertThat(holds(
                        TrainingJobStatuses.troubled(
                                TrainingJobStatuses.accepted(job, "", Instant.EPOCH), "no", Instant.EPOCH),
                        "ReplicaFailure"))
                .isEqualTo("no");
    }
}
