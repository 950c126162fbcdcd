package dev.edl.operators;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.k8s.MockCluster;
import io.fabric8.kubernetes.api.model.APIGroupBuilder;
import io.fabric8.kubernetes.api.model.APIResourceListBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import org.junit.jupiter.api.Test;

/** Error for a kind that the cluster does not serve. */
@MockCluster
// The extension sets the fields.
@SuppressWarnings("NullAway.Init")
class MissingDefinitionTest {
    private KubernetesClient client;
    private KubernetesMockServer server;

    private Job refused() {
        server.expect()
                .post()
                .withPath("/apis/kubeflow.org/v1/namespaces/test/pytorchjobs")
                .andReturn(404, "")
                .always();
        return Job.named("torch")
                .namespace("test")
                .pytorch()
                .image("torch:1")
                .workers(2)
                .build();
    }

    @Test
    void a_missing_definition_is_reported_with_its_installation() {
        Job job = refused();
        try (CustomResourceExecutor executor =
                CustomResourceExecutor.using(client, CustomResourceKind.kubeflowPyTorchJob())) {
            assertThatThrownBy(() -> executor.submit(job))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("job \"torch\" cannot be a PyTorchJob kubeflow.org/v1: the cluster has no"
                            + " CustomResourceDefinition pytorchjobs.kubeflow.org; install it with Kubeflow's training"
                            + " operator: kubectl apply --server-side -k \"github.com/kubeflow/training-operator.git/"
                            + "manifests/overlays/standalone?ref=v1.8.1\"");
        }
    }

    @Test
    void served_versions_are_named_in_the_error() {
        Job job = refused();
        server.expect()
                .get()
                .withPath("/apis/kubeflow.org")
                .andReturn(
                        200,
                        new APIGroupBuilder()
                                .withName("kubeflow.org")
                                .addNewVersion("kubeflow.org/v1beta2", "v1beta2")
                                .build())
                .always();
        server.expect()
                .get()
                .withPath("/apis/kubeflow.org/v1beta2")
                .andReturn(
                        200,
                        new APIResourceListBuilder()
                                .withGroupVersion("kubeflow.org/v1beta2")
                                .addNewResource()
                                .withName("pytorchjobs")
                                .withKind("PyTorchJob")
                                .endResource()
                                .build())
                .always();
        try (CustomResourceExecutor executor =
                CustomResourceExecutor.using(client, CustomResourceKind.kubeflowPyTorchJob())) {
            assertThatThrownBy(() -> executor.submit(job))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("job \"torch\" cannot be a PyTorchJob kubeflow.org/v1: the cluster serves"
                            + " pytorchjobs.kubeflow.org in v1beta2, not in v1; ");
        }
    }
}
