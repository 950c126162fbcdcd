package dev.edl.k8s.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.k8s.MockCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The mock ignores preconditions, so the sent request is checked. {@code ReplacedDriverTest} covers the effect. */
@MockCluster
class PreconditionedDeleteTest {
    private static final String SERVICE = "/api/v1/namespaces/test/services/mnist";
    private static final Service MNIST = new ServiceBuilder()
            .withNewMetadata()
            .withName("mnist")
            .withNamespace("test")
            .withUid("uid-1")
            .endMetadata()
            .build();

    // The extension sets both.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    private static String status(int code) {
        return "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"code\":" + code + "}";
    }

    private String sent(String path) throws InterruptedException {
        var request = server.takeRequest();
        assertThat(request.getMethod() + " " + request.getPath()).isEqualTo("DELETE " + path);
        return request.getUtf8Body();
    }

    @Test
    void the_uid_of_the_object_is_a_precondition() throws InterruptedException {
        PreconditionedDelete.of(client, "services", MNIST);

        assertThat(sent(SERVICE)).contains("\"preconditions\":{\"uid\":\"uid-1\"}", "\"Background\"");
    }

    @Test
    void a_custom_resource_is_deleted_at_its_own_path() throws InterruptedException {
        GenericKubernetesResource job = new GenericKubernetesResourceBuilder()
                .withApiVersion("kubeflow.org/v1")
                .withKind("TFJob")
                .withMetadata(MNIST.getMetadata())
                .build();
        PreconditionedDelete.inForeground(client, "tfjobs", job);

        assertThat(sent("/apis/kubeflow.org/v1/namespaces/test/tfjobs/mnist"))
                .contains("\"preconditions\":{\"uid\":\"uid-1\"}", "\"Foreground\"");
    }

    @Test
    void a_pod_is_deleted_by_its_uid_with_and_without_grace() throws InterruptedException {
        ClusterApi api = ClusterApi.of(client, "test");
        api.deletePod("worker-0", Optional.of("uid-2"), OptionalLong.empty());
        api.deletePod("worker-0", Optional.of("uid-2"), OptionalLong.of(0));

        String path = "/api/v1/namespaces/test/pods/worker-0";
        assertThat(sent(path)).contains("\"preconditions\":{\"uid\":\"uid-2\"}").doesNotContain("gracePeriodSeconds");
        assertThat(sent(path)).contains("\"preconditions\":{\"uid\":\"uid-2\"}", "\"gracePeriodSeconds\":0");
    }

    @ParameterizedTest
    @ValueSource(ints = {404, 409})
    void a_missing_or_replaced_object_counts_as_deleted(int code) {
        server.expect().delete().withPath(SERVICE).andReturn(code, status(code)).once();

        PreconditionedDelete.of(client, "services", MNIST);
        assertThat(server.getRequestCount()).isEqualTo(1);
    }

    @Test
    void a_refusal_is_thrown() {
        server.expect().delete().withPath(SERVICE).andReturn(403, status(403)).once();

        assertThatThrownBy(() -> PreconditionedDelete.of(client, "services", MNIST))
                .isInstanceOf(KubernetesClientException.class);
    }
}
