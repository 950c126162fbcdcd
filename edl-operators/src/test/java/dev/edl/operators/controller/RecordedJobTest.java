package dev.edl.operators.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.MockCluster;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A controller runs the job of the custom resource, whatever other programs write into the job's record. */
@MockCluster
class RecordedJobTest {
    private static final String JOB = """
            apiVersion: tensorflow.org/v1alpha1
            kind: TfJob
            metadata: {name: job, annotations: {edl.dev/ttl: PT24H}}
            spec:
              RuntimeId: 76no
              replicaSpecs:
              - tfReplicaType: MASTER
                template: {spec: {restartPolicy: OnFailure, containers: [{name: tensorflow, image: "tf:1"}]}}
            """;

    private static final String MASTER = "job-master-76no-0";

    // The extension sets it.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    private Resource<ConfigMap> record() {
        return client.configMaps().inNamespace("test").withName("edl-job-job");
    }

    private void forge(UnaryOperator<String> job) {
        record().edit(there -> new ConfigMapBuilder(there)
                .addToData("job.yaml", job.apply(there.getData().get("job.yaml")))
                .build());
    }

    private static String annotation(Resource<GenericKubernetesResource> job) {
        return String.valueOf(job.get().getMetadata().getAnnotations().get("edl.dev/job-digest"));
    }

    @Test
    void a_job_that_was_written_into_a_record_is_not_run() {
        try (Trial trial = new Trial(client)) {
            trial.create(JOB);
            Pod first = trial.pod(MASTER);
            trial.stop();
            forge(yaml -> yaml.replace("tf:1", "evil:1"));
            client.resource(first).delete();
            trial.restart();

            assertThat(trial.await(
                            trial.tfJob("job"),
                            status -> String.valueOf(status.get("reason")).startsWith("ConfigMap edl-job-job")))
                    .extractingByKey("reason")
                    .asString()
                    .matches("ConfigMap edl-job-job of namespace test stores another job than \"job\" was created with:"
                            + " its digest is sha256:[0-9a-f]{64}, and must be sha256:[0-9a-f]{64}; the job in it is not"
                            + " run\\. kubectl delete configmap edl-job-job removes it with its pods, and the job"
                            + " starts"
                            + " from the beginning");
            assertThat(client.pods().inNamespace("test").list().getItems()).isEmpty();

            // The mock deletes no dependents of the record.
            client.services().inNamespace("test").delete();
            record().delete();
            assertThat(trial.pod(MASTER).getSpec().getContainers().get(0).getImage())
                    .isEqualTo("tf:1");
        }
    }

    @Test
    void a_record_that_was_there_before_the_job_is_not_run() {
        try (Trial trial = new Trial(client)) {
            trial.create(JOB);
            trial.pod(MASTER);
            trial.stop();
            // As if the record had come first, before any controller saw the job.
            client.pods().inNamespace("test").delete();
            forge(yaml -> yaml.replace("tf:1", "evil:1"));
            trial.tfJob("job").edit(there -> {
                there.getMetadata().setAnnotations(Map.of());
                return there;
            });
            trial.restart();

            trial.await(
                    trial.tfJob("job"),
                    status -> String.valueOf(status.get("reason"))
                            .startsWith("ConfigMap edl-job-job of namespace test stores another job"));
            assertThat(client.pods().inNamespace("test").list().getItems()).isEmpty();
        }
    }

    @Test
    void a_job_that_ended_is_cleaned_up_by_its_own_record_only() {
        try (Trial trial = new Trial(client)) {
            trial.create(JOB);
            trial.running(MASTER);
            trial.ended(MASTER, 0, "Completed");
            trial.awaitPhase(trial.tfJob("job"), "Done");
            trial.stop();
            forge(yaml -> yaml.replace("tf:1", "evil:1"));
            String driver = record().get().getData().get("driver");
            trial.restart();
            trial.create(JOB.replace("name: job", "name: later"));
            trial.pod("later-master-76no-0");

            assertThat(record().get().getData()).containsEntry("driver", driver);
        }
    }

    @Test
    void a_job_that_was_edited_goes_on_as_it_was_created() {
        try (Trial trial = new Trial(client)) {
            trial.create(JOB);
            trial.running(MASTER);
            trial.awaitPhase(trial.tfJob("job"), "Running");
            String digest = annotation(trial.tfJob("job"));
            trial.stop();
            trial.tfJob("job").edit(there -> {
                there.getMetadata().getAnnotations().put("edl.dev/deadline", "PT8H");
                return there;
            });
            trial.restart();
            trial.ended(MASTER, 0, "Completed");

            trial.awaitPhase(trial.tfJob("job"), "Done");
            assertThat(annotation(trial.tfJob("job"))).isEqualTo(digest);
            assertThat(record().get().getData().get("job.yaml")).doesNotContain("PT8H");
        }
    }

    @Test
    void a_record_without_a_digest_in_the_resource_is_compared_with_the_job() {
        try (Trial trial = new Trial(client)) {
            trial.create(JOB);
            trial.running(MASTER);
            trial.awaitPhase(trial.tfJob("job"), "Running");
            String digest = annotation(trial.tfJob("job"));
            trial.stop();
            trial.tfJob("job").edit(there -> {
                there.getMetadata().getAnnotations().remove("edl.dev/job-digest");
                return there;
            });
            String driver = record().get().getData().get("driver");
            trial.restart();
            trial.ended(MASTER, 0, "Completed");

            trial.awaitPhase(trial.tfJob("job"), "Done");
            assertThat(annotation(trial.tfJob("job"))).isEqualTo(digest);
            assertThat(record().get().getData().get("driver")).isNotEqualTo(driver);
        }
    }

    @Test
    void a_digest_is_that_of_job_and_profile() {
        JobPlan plan = Job.named("mnist")
                .image("mnist:1")
                .tensorflow()
                .workers(2)
                .build()
                .plan();

        assertThat(KubernetesExecutor.digestOf(plan)).matches("sha256:[0-9a-f]{64}");
        assertThat(KubernetesExecutor.digestOf(plan))
                .isEqualTo(KubernetesExecutor.digestOf(Job.of(plan.spec()).plan()))
                .isNotEqualTo(KubernetesExecutor.digestOf(Job.of(plan.spec()).plan(Profile.KUBEFLOW_V1)));
    }
}
