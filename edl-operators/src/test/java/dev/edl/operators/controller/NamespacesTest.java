package dev.edl.operators.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.k8s.MockCluster;
import dev.edl.k8s.Polled;
import dev.edl.operators.crd.CustomObject;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** One controller of several namespaces; the operators of 2017 looked up jobs by name alone (reference: E.A 12). */
@MockCluster
class NamespacesTest {
    private static final String JOB = """
            apiVersion: tensorflow.org/v1alpha1
            kind: TfJob
            metadata: {name: mnist}
            spec:
              RuntimeId: 76no
              replicaSpecs:
              - template: {spec: {containers: [{name: tensorflow, image: "tf:1"}]}}
            """;

    // The extension sets it.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    private Resource<GenericKubernetesResource> job(String namespace) {
        return WatchedKind.of(JobKinds.tfJob())
                .in(client)
                .inNamespace(namespace)
                .withName("mnist");
    }

    private void create(String namespace) {
        WatchedKind.of(JobKinds.tfJob())
                .in(client)
                .inNamespace(namespace)
                .resource(CustomObject.fromYaml(JOB).toKubernetes())
                .create();
    }

    private Pod phase(String namespace, String phase) {
        Resource<Pod> pod = client.pods().inNamespace(namespace).withName("mnist-master-76no-0");
        Polled.until(pod, there -> true);
        return pod.editStatus(
                p -> p.edit().withNewStatus().withPhase(phase).endStatus().build());
    }

    private void await(String namespace, String phase) {
        Polled.until(job(namespace), there -> phase.equals(status(there).get("phase")));
    }

    private static Map<?, ?> status(GenericKubernetesResource object) {
        return object.getAdditionalProperties().get("status") instanceof Map<?, ?> status ? status : Map.of();
    }

    @Test
    void jobs_of_one_name_in_two_namespaces_are_two_jobs() {
        // Before the controller's watch starts, because the mock may not report objects created just then.
        create("team-a");
        create("team-b");
        try (LeaderSession session = new LeaderSession(
                client, LeaderSessionSettings.of(List.of(JobKinds.tfJob()), List.of("team-a", "team-b")))) {
            phase("team-a", "Running");
            Pod other = phase("team-b", "Running");
            await("team-a", "Running");
            await("team-b", "Running");

            phase("team-a", "Succeeded");
            await("team-a", "Done");

            assertThat(status(job("team-b").get()).get("state")).isEqualTo("Running");
            assertThat(client.pods().inNamespace("team-b").list().getItems())
                    .extracting(pod -> pod.getMetadata().getUid())
                    .containsExactly(other.getMetadata().getUid());
            assertThat(session.all("TfJob.tensorflow.org", "team-a")).hasSize(1);
        }
    }
}
