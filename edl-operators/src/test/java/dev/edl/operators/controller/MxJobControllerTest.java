package dev.edl.operators.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.k8s.MockCluster;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Vectors C-01 to C-04 of the MxJob operator, without its defects, on fabric8's mock. */
@MockCluster
class MxJobControllerTest {
    private static final String JOB = """
            apiVersion: mxnet.mlkube.io/v1beta1
            kind: MxJob
            metadata: {name: example-dist-job}
            spec:
              RuntimeId: 1kkf
              jobMode: dist
              replicaSpecs:
              - mxReplicaType: SCHEDULER
                template: {spec: {restartPolicy: OnFailure, containers: [{name: mxnet, image: "mx:1"}]}}
              - mxReplicaType: SERVER
                template: {spec: {restartPolicy: OnFailure, containers: [{name: mxnet, image: "mx:1"}]}}
              - replicas: 2
                template:
                  spec:
                    restartPolicy: OnFailure
                    containers:
                    - {name: mxnet, image: "mx:1", env: [{name: PS_VERBOSE, value: "2"}]}
            """;

    // The extension sets it.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    private static void allRun(Trial trial) {
        for (String replica : List.of("scheduler-1kkf-0", "server-1kkf-0", "worker-1kkf-0", "worker-1kkf-1")) {
            trial.running("example-dist-job-" + replica);
        }
    }

    @Test
    void a_job_is_done_when_its_workers_are_and_names_types_as_the_operator_did() {
        try (Trial trial = new Trial(client)) {
            trial.create(JOB);
            allRun(trial);
            trial.ended("example-dist-job-worker-1kkf-0", 0, "Completed");
            trial.ended("example-dist-job-worker-1kkf-1", 0, "Completed");

            Map<String, Object> status = trial.awaitPhase(trial.object("MxJob", "example-dist-job"), "Done");

            assertThat(status).containsEntry("state", "Succeeded");
            assertThat((Object) Trial.replicas(status, "WORKER"))
                    .isEqualTo(Map.of(
                            "Mx_replica_type", "WORKER",
                            "state", "Succeeded",
                            "ReplicasStates", Map.of("Succeeded", 2)));
        }
    }

    @Test
    void c_02_a_distributed_job_without_a_server_has_failed_with_the_words_of_the_operator() {
        try (Trial trial = new Trial(client)) {
            trial.create(JOB.replace("SERVER", "WORKER").replace("- replicas: 2", "- mxReplicaType: SCHEDULER"));

            assertThat(trial.awaitPhase(trial.object("MxJob", "example-dist-job"), "Failed")
                            .get("reason"))
                    .asString()
                    .contains("dist job mode without replica type SERVER");
        }
    }

    @Test
    void c_03_a_variable_of_the_users_own_stays_beside_those_of_the_framework() {
        try (Trial trial = new Trial(client)) {
            trial.create(JOB);

            Pod worker = trial.pod("example-dist-job-worker-1kkf-1");

            assertThat(worker.getSpec().getContainers().get(0).getEnv())
                    .extracting(EnvVar::getName)
                    .contains("PS_VERBOSE", "DMLC_PS_ROOT_URI", "DMLC_ROLE");
        }
    }

    @Test
    void c_04_a_scheduler_that_exits_with_1_and_says_nothing_has_failed() {
        try (Trial trial = new Trial(client)) {
            trial.create(JOB);
            allRun(trial);
            trial.ended("example-dist-job-scheduler-1kkf-0", 1, "Error");

            assertThat(trial.awaitPhase(trial.object("MxJob", "example-dist-job"), "Done"))
                    .containsEntry("state", "Failed")
                    .containsEntry(
                            "reason", "example-dist-job-scheduler-1kkf-0: exit code 1 (Error), and is not relaunched");
        }
    }

    @Test
    void a_lost_pod_of_a_running_job_is_made_again() {
        try (Trial trial = new Trial(client)) {
            trial.create(JOB);
            allRun(trial);
            Pod server = trial.pod("example-dist-job-server-1kkf-0");
            trial.await(
                    trial.object("MxJob", "example-dist-job"),
                    status -> Trial.state(status, "SERVER").equals("Running"));
            client.pods().resource(server).delete();

            assertThat(trial.successor(server).getMetadata().getOwnerReferences())
                    .hasSize(1);
        }
    }

    // E.C: the scheduler's end was the job's, and the workers' state was ignored
    @Test
    void a_scheduler_that_succeeded_does_not_hide_that_a_worker_failed() {
        try (Trial trial = new Trial(client)) {
            trial.create(JOB);
            allRun(trial);
            trial.ended("example-dist-job-scheduler-1kkf-0", 0, "Completed");
            Pod first = trial.pod("example-dist-job-worker-1kkf-0");
            trial.ended("example-dist-job-worker-1kkf-0", 1, "Error");
            trial.successor(first);
            trial.ended("example-dist-job-worker-1kkf-0", 1, "Error");

            assertThat(trial.awaitPhase(trial.object("MxJob", "example-dist-job"), "Done"))
                    .containsEntry("state", "Failed")
                    .containsEntry(
                            "reason", "example-dist-job-worker-1kkf-0: exit code 1 (Error), and is not relaunched");
        }
    }

    // E.C: a restarted operator marked a done job as failed
    @Test
    void a_job_that_is_done_stays_so_when_the_controller_is_started_again() {
        try (Trial trial = new Trial(client)) {
            trial.create(JOB);
            allRun(trial);
            trial.ended("example-dist-job-worker-1kkf-0", 0, "Completed");
            trial.ended("example-dist-job-worker-1kkf-1", 0, "Completed");
            Map<String, Object> done = trial.awaitPhase(trial.object("MxJob", "example-dist-job"), "Done");
            // The pods and the record are deleted: only the status shows that the job ran.
            client.pods().inNamespace("test").delete();
            client.configMaps().inNamespace("test").delete();
            trial.restart();
            // The new controller has seen the job once it has accepted a later one.
            trial.create(JOB.replace("example-dist-job", "later").replace("1kkf", "abcd"));
            trial.pod("later-scheduler-abcd-0");

            assertThat(trial.await(trial.object("MxJob", "example-dist-job"), status -> true))
                    .isEqualTo(done);
        }
    }
}
