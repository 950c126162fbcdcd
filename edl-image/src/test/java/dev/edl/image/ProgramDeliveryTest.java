package dev.edl.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.k8s.MockCluster;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.VersionInfo;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@MockCluster
class ProgramDeliveryTest {
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    @Test
    void each_way_names_what_it_lacks() throws Exception {
        allowed(false, 1);
        allowed(true, 6);
        version("35");
        node("old", "containerd://1.7.28");
        node("new", "containerd://2.1.4");
        claim("local", "ReadWriteOnce");

        ProgramDelivery found = ProgramDelivery.preflight(client, "team", null);

        assertThat(found)
                .hasToString(
                        "image in a registry: needs a registry that this machine can push to and the nodes can pull"
                                + " from\n"
                                + "class path on a claim: needs permission to create configmaps; a PersistentVolumeClaim with access mode ReadWriteMany in namespace"
                                + " team; pods of one node can use another one\n"
                                + "jars as an image volume: needs a registry that this machine can push to and the nodes can pull"
                                + " from; Kubernetes 1.36 or newer, was 1.35; nodes with containerd 2.1 or CRI-O 1.31 or newer,"
                                + " but there are containerd://1.7.28\n");
    }

    @Test
    void ways_that_work_are_named() throws Exception {
        allowed(true, 7);
        version("36+");
        node("new", "containerd://2.1.4");
        claim("files", "ReadWriteMany");

        ProgramDelivery found = ProgramDelivery.preflight(client, "team", "localhost:1");

        assertThat(found.claim()).isEmpty();
        assertThat(found.claims()).containsExactly("files");
        assertThat(found.image())
                .singleElement()
                .asString()
                .startsWith("a registry that responds at https://localhost:1/v2/: java.net.ConnectException");
        assertThat(found.imageVolume()).isEqualTo(found.image());
        assertThat(found.toString()).contains("class path on a claim: works on files\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "https://r.example", "registry.example/acme", "a b"})
    void a_registry_is_a_host_and_perhaps_a_port(String registry) {
        assertThatThrownBy(() -> ProgramDelivery.preflight(client, "team", registry))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("registry must be a host and perhaps a port, without a scheme and a path, was \"" + registry
                        + "\"; for example registry.example:5000");
    }

    /** Answers an access review. */
    private void allowed(boolean allowed, int times) {
        server.expect()
                .post()
                .withPath("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews")
                .andReturn(
                        201,
                        new SelfSubjectAccessReviewBuilder()
                                .withNewStatus()
                                .withAllowed(allowed)
                                .endStatus()
                                .build())
                .times(times);
    }

    private void version(String minor) {
        server.setVersionInfo(
                new VersionInfo.Builder().withMajor("1").withMinor(minor).build());
    }

    private void node(String name, String runtime) {
        client.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withNewStatus()
                        .withNewNodeInfo()
                        .withContainerRuntimeVersion(runtime)
                        .endNodeInfo()
                        .endStatus()
                        .build())
                .create();
    }

    private void claim(String name, String mode) {
        client.resource(new PersistentVolumeClaimBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace("team")
                        .endMetadata()
                        .withNewSpec()
                        .withAccessModes(mode)
                        .endSpec()
                        .build())
                .create();
    }
}
