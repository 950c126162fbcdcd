package dev.edl.k8s.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.k8s.MockCluster;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@MockCluster
class ConnectivityCheckTest {
    @TempDir
    Path home;

    // The extension sets it.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    private Path kubeconfig(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        return Files.writeString(file, "kind: Config\n");
    }

    @Test
    void a_missing_configuration_is_reported_with_every_source() {
        assertThatThrownBy(() -> ConnectivityCheck.client(new ClusterConfigSources(Map.of(), home)))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessage("no Kubernetes cluster was found: KUBECONFIG is not set, " + home.resolve(".kube/config")
                        + " cannot be read, this process runs in no pod (KUBERNETES_SERVICE_HOST is not set); name a"
                        + " kubeconfig file, for example KubernetesExecutor.fromKubeconfig(Path.of(\"/etc/acme/kubeconfig\")),"
                        + " or set KUBECONFIG");
    }

    @Test
    void a_missing_kubeconfig_is_reported_by_its_name() throws IOException {
        kubeconfig(home.resolve(".kube/config"));
        ClusterConfigSources sources = new ClusterConfigSources(Map.of("KUBECONFIG", "/none/such"), home);

        assertThat(sources.found()).isEmpty();
        assertThat(sources.lookedFor())
                .startsWith("KUBECONFIG is \"/none/such\", which cannot be read, this process runs");
    }

    @Test
    void a_cluster_is_named_by_kubeconfig_before_home_before_the_pod() throws IOException {
        Path mine = kubeconfig(home.resolve("mine"));
        Map<String, String> pod = Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1");

        assertThat(new ClusterConfigSources(pod, home).found()).contains("of this pod's service account");
        Path standard = kubeconfig(home.resolve(".kube/config"));
        assertThat(new ClusterConfigSources(pod, home).found()).contains("of kubeconfig " + standard);
        assertThat(new ClusterConfigSources(Map.of("KUBECONFIG", "/none/such" + File.pathSeparator + mine), home)
                        .found())
                .contains("of kubeconfig " + mine);
        assertThat(new ClusterConfigSources(Map.of("KUBERNETES_MASTER", "https://a:6443"), home).found())
                .contains("of KUBERNETES_MASTER");
    }

    private static KubernetesClient at(int port) {
        return new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(Config.empty())
                        .withMasterUrl("http://localhost:" + port)
                        .build())
                .build();
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.SECONDS)
    void an_unreachable_server_is_reported_with_address_and_source() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        try (KubernetesClient gone = at(port)) {
            ConnectivityCheck connectivity = ConnectivityCheck.of(gone, "of kubeconfig /etc/edl/kubeconfig");

            assertThatThrownBy(connectivity::check)
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageStartingWith("no Kubernetes cluster was reached: server http://localhost:" + port
                            + "/ of kubeconfig /etc/edl/kubeconfig: ")
                    .hasMessageContaining("kubectl version")
                    .hasMessageContaining("KubernetesExecutor.fromKubeconfig");
        }
    }

    @Test
    @Timeout(value = 8, unit = TimeUnit.SECONDS)
    void a_silent_server_is_reported_within_five_seconds() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                KubernetesClient mute = at(silent.getLocalPort())) {
            long began = System.nanoTime();

            assertThatThrownBy(ConnectivityCheck.of(mute, "of this pod's service account")::check)
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("of this pod's service account: ");
            assertThat(System.nanoTime() - began).isLessThan(TimeUnit.SECONDS.toNanos(5));
        }
    }

    @Test
    void any_answer_of_a_server_counts_as_reached() {
        ConnectivityCheck connectivity = ConnectivityCheck.of(client, "of a mock");

        connectivity.check();

        assertThat(connectivity.answered()).isTrue();
    }
}
