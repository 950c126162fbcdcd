package dev.edl.operators.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.k8s.MockCluster;
import dev.edl.k8s.Polled;
import dev.edl.k8s.Refused;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.et.TrainingJobStatuses;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** TrainingJobs and the controller that takes them over, on fabric8's mock. */
@MockCluster
class TrainingJobDriverTest {
    private static final String JOB = """
            apiVersion: kai.alibabacloud.com/v1alpha1
            kind: TrainingJob
            metadata: {name: elastic, namespace: test}
            spec:
              cleanPodPolicy: All
              etReplicaSpecs:
                launcher:
                  replicas: 1
                  template: {spec: {containers: [{name: launcher, image: "horovod:1"}]}}
                worker:
                  replicas: 1
                  maxReplicas: 2
                  template: {spec: {containers: [{name: worker, image: "horovod:1"}]}}
            """;

    // The extension sets both.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    @Test
    void the_next_controller_completes_the_cleanup_of_an_ended_job() {
        try (Trial trial = new Trial(client, JobKinds.trainingJob())) {
            trial.create(JOB);
            trial.running("elastic-worker-0");
            trial.running("elastic-launcher");
            Resource<GenericKubernetesResource> job = trial.object(TrainingJobKind.KIND, "elastic");
            trial.awaitPhase(job, "Running");
            trial.stop();
            // As if the previous controller had been killed right after this write.
            trial.ended("elastic-launcher", 0, "Completed");
            job.editStatus(there -> {
                Map<Object, Object> status = new HashMap<>(
                        (Map<?, ?>) there.getAdditionalProperties().get("status"));
                status.put("phase", "Succeeded");
                there.setAdditionalProperty("status", status);
                return there;
            });
            assertThat(client.pods()
                            .inNamespace("test")
                            .withName("elastic-worker-0")
                            .get())
                    .isNotNull();
            trial.restart();

            Polled.gone(client.pods().inNamespace("test").withName("elastic-worker-0"));
        }
    }

    @Test
    void the_status_reports_rejected_objects_until_they_are_created() {
        String why = "configmaps is forbidden: exceeded quota: team";
        Refused.create(server, "configmaps", 403, "Forbidden", why).times(3);
        try (Trial trial = new Trial(client, JobKinds.trainingJob())) {
            trial.create(JOB);
            Resource<GenericKubernetesResource> job = trial.object(TrainingJobKind.KIND, "elastic");

            trial.await(job, status -> created(status).equals("the API server rejects it; retrying: " + why));
            trial.await(job, status -> created(status).equals("TrainingJob elastic is created."));
            trial.running("elastic-worker-0");
            trial.running("elastic-launcher");
            assertThat(created(trial.awaitPhase(job, "Running"))).isEqualTo("TrainingJob elastic is created.");
        }
    }

    @Test
    void the_next_controller_takes_back_that_a_job_was_refused() {
        try (Trial trial = new Trial(client, JobKinds.trainingJob())) {
            trial.stop();
            trial.create(JOB);
            Resource<GenericKubernetesResource> job = trial.object(TrainingJobKind.KIND, "elastic");
            job.editStatus(there -> {
                // As the previous controller left it.
                there.setAdditionalProperty(
                        "status",
                        TrainingJobStatuses.accepted(
                                CustomObject.of(there), "the API server rejects it; retrying: no", Instant.EPOCH));
                return there;
            });
            assertThat(created(trial.await(job, status -> true))).contains("rejects");
            trial.restart();

            trial.await(job, status -> created(status).equals("TrainingJob elastic is created."));
        }
    }

    /** Returns the message of the condition {@code Created}; empty while there is none. */
    private static String created(Map<String, Object> status) {
        if (status.get("conditions") instanceof List<?> conditions) {
            for (Object one : conditions) {
                if (one instanceof Map<?, ?> condition && "Created".equals(condition.get("type"))) {
                    return String.valueOf(condition.get("message"));
                }
            }
        }
        return "";
    }
}
