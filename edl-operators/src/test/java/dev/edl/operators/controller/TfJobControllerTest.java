package dev.edl.operators.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.k8s.MockCluster;
import dev.edl.k8s.Refused;
import dev.edl.k8s.render.TfJobOperatorConfig;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Vectors of the TfJob operator, without its defects, on fabric8's mock; conformance/kubernetes uses a
 * real cluster.
 */
@MockCluster
class TfJobControllerTest {
    private static final String JOB = """
            apiVersion: tensorflow.org/v1alpha1
            kind: TfJob
            metadata: {name: example-job}
            spec:
              RuntimeId: 76no
              replicaSpecs:
              - tfReplicaType: MASTER
                template: {spec: {restartPolicy: OnFailure, containers: [{name: tensorflow, image: "tf:1"}]}}
              - tfReplicaType: WORKER
                replicas: 2
                template: {spec: {restartPolicy: OnFailure, containers: [{name: tensorflow, image: "tf:1"}]}}
              - tfReplicaType: PS
                replicas: 2
            """;

    // The extension sets it.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    private static void allRun(Trial trial) {
        allRun(trial, "76no");
    }

    private static void allRun(Trial trial, String id) {
        for (String replica : List.of("master-76no-0", "worker-76no-0", "worker-76no-1", "ps-76no-0", "ps-76no-1")) {
            trial.running("example-job-" + replica.replace("76no", id));
        }
    }

    @Test
    void a_job_runs_and_is_done_when_its_master_is_with_the_rest_running_on() {
        try (Trial trial = new Trial(client)) {
            trial.create(JOB);
            Resource<GenericKubernetesResource> job = trial.tfJob("example-job");
            allRun(trial);
            trial.await(
                    job,
                    status -> Trial.states(status, "PS").equals(Map.of("Running", 2))
                            && Trial.states(status, "WORKER").equals(Map.of("Running", 2)));
            trial.ended("example-job-master-76no-0", 0, "Completed");

            assertThat(trial.awaitPhase(job, "Done"))
                    .isEqualTo(Map.of(
                            "phase", "Done",
                            "reason", "",
                            "controlPaused", false,
                            "state", "Succeeded",
                            "replicaStatuses",
                                    List.of(
                                            Map.of(
                                                    "tf_replica_type", "MASTER",
                                                    "state", "Succeeded",
                                                    "ReplicasStates", Map.of("Succeeded", 1)),
                                            Map.of(
                                                    "tf_replica_type", "WORKER",
                                                    "state", "Running",
                                                    "ReplicasStates", Map.of("Running", 2)),
                                            Map.of(
                                                    "tf_replica_type", "PS",
                                                    "state", "Running",
                                                    "ReplicasStates", Map.of("Running", 2)))));
            assertThat(client.pods().inNamespace("test").list().getItems()).hasSize(5);
        }
    }

    @Test
    void a_06_and_a_10_a_final_exit_marks_a_relaunched_worker_failed() {
        try (Trial trial = new Trial(client)) {
            trial.create(JOB);
            allRun(trial);
            Pod first = trial.pod("example-job-worker-76no-0");
            trial.ended("example-job-worker-76no-0", 100, "Error");
            trial.successor(first);
            trial.running("example-job-worker-76no-0");

            Map<String, Object> status = trial.await(
                    trial.tfJob("example-job"),
                    found -> Trial.state(found, "WORKER").equals("Failed"));

            assertThat(Trial.states(status, "WORKER")).isEqualTo(Map.of("Failed", 1, "Running", 1));
            assertThat(status).containsEntry("state", "Running").containsEntry("phase", "Running");
        }
    }

    @Test
    void a_job_whose_record_was_deleted_is_made_again() {
        try (Trial trial = new Trial(client)) {
            trial.create(JOB);
            allRun(trial);
            trial.awaitPhase(trial.tfJob("example-job"), "Running");
            Pod first = trial.pod("example-job-worker-76no-0");
            // The mock deletes no dependents of the record.
            client.configMaps().inNamespace("test").delete();
            client.services().inNamespace("test").delete();
            client.pods().inNamespace("test").delete();

            trial.successor(first);
            assertThat(client.configMaps()
                            .inNamespace("test")
                            .withName("edl-job-example-job")
                            .get())
                    .isNotNull();
        }
    }

    @Test
    void a_07_a_worker_that_was_killed_runs_again() {
        try (Trial trial = new Trial(client)) {
            trial.create(JOB);
            allRun(trial);
            Pod first = trial.pod("example-job-worker-76no-0");
            trial.ended("example-job-worker-76no-0", 137, "Error");
            trial.successor(first);
            trial.await(
                    trial.tfJob("example-job"),
                    found -> Trial.states(found, "WORKER").equals(Map.of("Starting", 1, "Running", 1)));
            trial.running("example-job-worker-76no-0");

            Map<String, Object> status = trial.await(
                    trial.tfJob("example-job"),
                    found -> Trial.states(found, "WORKER").equals(Map.of("Running", 2)));
            assertThat(Trial.state(status, "WORKER")).isEqualTo("Running");
        }
    }

    @Test
    void a_08_a_worker_that_wanted_memory_is_failed() {
        try (Trial trial = new Trial(client)) {
            trial.create(JOB);
            allRun(trial);
            trial.ended("example-job-worker-76no-0", 137, "OOMKilled");

            Map<String, Object> status = trial.await(
                    trial.tfJob("example-job"),
                    found -> Trial.state(found, "WORKER").equals("Failed"));
            assertThat(status).containsEntry("state", "Running");
        }
    }

    @Test
    void a_09_a_job_succeeds_with_its_master_whatever_its_workers_exit_with() {
        try (Trial trial = new Trial(client)) {
            trial.create(JOB);
            allRun(trial);
            trial.ended("example-job-worker-76no-0", 1, "Error");
            trial.await(
                    trial.tfJob("example-job"),
                    found -> Trial.state(found, "WORKER").equals("Failed"));
            trial.ended("example-job-master-76no-0", 0, "Completed");

            assertThat(trial.awaitPhase(trial.tfJob("example-job"), "Done")).containsEntry("state", "Succeeded");
        }
    }

    @Test
    void a_job_fails_with_its_master_and_its_reason() {
        try (Trial trial = new Trial(client)) {
            trial.create(JOB);
            allRun(trial);
            trial.ended("example-job-master-76no-0", 1, "Error");

            assertThat(trial.awaitPhase(trial.tfJob("example-job"), "Done"))
                    .containsEntry("state", "Failed")
                    .containsEntry("reason", "example-job-master-76no-0: exit code 1 (Error), and is not relaunched");
        }
    }

    @Test
    void a_11_a_job_that_is_done_stays_so_when_the_controller_is_started_again() {
        try (Trial trial = new Trial(client)) {
            trial.create(JOB);
            allRun(trial);
            trial.ended("example-job-master-76no-0", 0, "Completed");
            Map<String, Object> done = trial.awaitPhase(trial.tfJob("example-job"), "Done");
            // The pods and the record are deleted: only the status shows that the job ran.
            client.pods().inNamespace("test").delete();
            client.configMaps().inNamespace("test").delete();
            trial.restart();
            // The new controller has seen the job once it has accepted a later one.
            trial.create(JOB.replace("example-job", "later").replace("76no", "abcd"));
            trial.pod("later-master-abcd-0");

            assertThat(trial.await(trial.tfJob("example-job"), status -> true)).isEqualTo(done);
            assertThat(client.pods().inNamespace("test").list().getItems())
                    .noneMatch(pod -> pod.getMetadata().getName().startsWith("example-job-"));
        }
    }

    @Test
    void the_next_controller_resumes_a_running_job_without_duplicates() {
        try (Trial trial = new Trial(client)) {
            trial.create(JOB);
            allRun(trial);
            trial.awaitPhase(trial.tfJob("example-job"), "Running");
            List<String> before = uids();
            trial.stop();
            trial.ended("example-job-master-76no-0", 0, "Completed");
            trial.restart();

            assertThat(trial.awaitPhase(trial.tfJob("example-job"), "Done")).containsEntry("state", "Succeeded");
            assertThat(uids()).isEqualTo(before);
        }
    }

    private List<String> uids() {
        return client.pods().inNamespace("test").list().getItems().stream()
                .map(pod -> pod.getMetadata().getUid())
                .sorted()
                .toList();
    }

    @Test
    void a_14_a_default_parameter_server_that_was_begun_is_completed() {
        try (Trial trial = new Trial(client)) {
            trial.stop();
            trial.create(JOB);
            trial.restart();
            trial.pod("example-job-ps-76no-1");
            trial.stop();
            // As if the controller had been killed while it created the job's objects.
            ConfigMap record = client.configMaps()
                    .inNamespace("test")
                    .withName("edl-job-example-job")
                    .get();
            assertThat(record).isNotNull();
            client.pods().inNamespace("test").withName("example-job-ps-76no-1").delete();
            trial.restart();

            Pod server = trial.pod("example-job-ps-76no-1");
            assertThat(server.getSpec().getContainers().get(0).getCommand())
                    .startsWith("python", "/ps-server/grpc_tensorflow_server.py", "--cluster_spec");
            assertThat(client.configMaps().inNamespace("test").list().getItems())
                    .filteredOn(map -> map.getMetadata().getName().startsWith("cm-ps-"))
                    .singleElement()
                    .satisfies(map -> assertThat(map.getMetadata().getOwnerReferences())
                            .singleElement()
                            .satisfies(owner -> assertThat(owner.getUid())
                                    .isEqualTo(record.getMetadata().getUid())));
        }
    }

    @Test
    void defaults_are_written_back_as_by_the_operator() {
        try (Trial trial = new Trial(client, TfJobOperatorConfig.parse("tfImage: registry.example/tf:9"))) {
            trial.create(JOB);
            trial.awaitPhase(trial.tfJob("example-job"), "Creating");

            Object spec =
                    trial.tfJob("example-job").get().getAdditionalProperties().get("spec");
            assertThat(String.valueOf(spec))
                    .contains("RuntimeId=76no")
                    .contains("tfImage=registry.example/tf:9")
                    .contains("terminationPolicy={chief={replicaName=MASTER, replicaIndex=0}}")
                    .contains("tfPort=2222")
                    .contains("IsDefaultPS=true");
        }
    }

    @Test
    void a_run_id_is_derived_and_stays_the_same_for_the_next_controller() {
        try (Trial trial = new Trial(client)) {
            trial.create(JOB.replace("  RuntimeId: 76no\n", ""));
            trial.awaitPhase(trial.tfJob("example-job"), "Creating");
            String id = String.valueOf(spec(trial).get("RuntimeId"));
            assertThat(id).matches("[0-9a-z]{4}");
            allRun(trial, id);
            trial.awaitPhase(trial.tfJob("example-job"), "Running");
            List<String> before = uids();
            trial.stop();
            // As if the controller had been killed before it wrote the id.
            trial.tfJob("example-job").edit(job -> {
                spec(job).remove("RuntimeId");
                return job;
            });
            assertThat(spec(trial)).doesNotContainKey("RuntimeId");
            trial.ended("example-job-master-" + id + "-0", 0, "Completed");
            trial.restart();

            trial.awaitPhase(trial.tfJob("example-job"), "Done");
            assertThat(spec(trial)).containsEntry("RuntimeId", id);
            assertThat(uids()).isEqualTo(before);
        }
    }

    private static Map<String, Object> spec(Trial trial) {
        return spec(trial.tfJob("example-job").get());
    }

    @SuppressWarnings("unchecked") // A spec is JSON.
    private static Map<String, Object> spec(GenericKubernetesResource job) {
        return (Map<String, Object>)
                Objects.requireNonNull(job.getAdditionalProperties().get("spec"));
    }

    @Test
    void the_status_reports_rejected_objects_until_they_are_created() {
        String why = "configmaps is forbidden: exceeded quota: team";
        Refused.create(server, "configmaps", 403, "Forbidden", why).times(3);
        try (Trial trial = new Trial(client)) {
            trial.create(JOB);

            assertThat(trial.await(trial.tfJob("example-job"), status -> !"".equals(status.getOrDefault("reason", ""))))
                    .containsEntry("phase", "Creating")
                    .containsEntry("reason", "the API server rejects it; retrying: " + why);
            allRun(trial);
            assertThat(trial.awaitPhase(trial.tfJob("example-job"), "Running")).containsEntry("reason", "");
        }
    }

    @Test
    void an_invalid_job_has_failed_with_the_words_of_the_operator() {
        try (Trial trial = new Trial(client)) {
            trial.create(JOB.replace("name: tensorflow", "name: main"));

            assertThat(trial.awaitPhase(trial.tfJob("example-job"), "Failed"))
                    .containsEntry("state", "Failed")
                    .containsEntry(
                            "reason",
                            "invalid job spec: spec.replicaSpecs[0]: Replica type MASTER is missing a container named"
                                    + " tensorflow; spec.replicaSpecs[1]: Replica type WORKER is missing a container"
                                    + " named tensorflow");
            assertThat(client.pods().inNamespace("test").list().getItems()).isEmpty();
        }
    }
}
