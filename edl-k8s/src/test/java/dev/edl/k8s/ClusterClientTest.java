package dev.edl.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterClientTest {
    @TempDir
    Path folder;

    private Path kubeconfig(String current) throws IOException {
        return Files.writeString(folder.resolve("config"), """
                apiVersion: v1
                kind: Config
                clusters:
                - {name: a, cluster: {server: "https://a.example:6443"}}
                - {name: b, cluster: {server: "https://b.example:6443"}}
                users:
                - {name: me, user: {token: secret}}
                contexts:
                - {name: at-a, context: {cluster: a, user: me}}
                - {name: at-b, context: {cluster: b, user: me}}
                %s
                """.formatted(current));
    }

    private static String server(ClusterClient clusterClient) {
        try (clusterClient) {
            return clusterClient.client().getMasterUrl().toString();
        }
    }

    @Test
    void a_kubeconfig_is_read_in_its_current_context() throws IOException {
        Path file = kubeconfig("current-context: at-b");

        assertThat(server(ClusterClient.of(file, Optional.empty()))).isEqualTo("https://b.example:6443/");
    }

    @Test
    void another_context_is_chosen_by_its_name() throws IOException {
        Path file = kubeconfig("current-context: at-b");

        assertThat(server(ClusterClient.of(file, Optional.of("at-a")))).isEqualTo("https://a.example:6443/");
    }

    @Test
    void a_missing_context_does_not_fall_back_to_another() throws IOException {
        Path file = kubeconfig("current-context: at-b");

        assertThatThrownBy(() -> KubernetesExecutor.fromKubeconfig(file, "at-c"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("kubeconfig \"" + file + "\" has no context \"at-c\"; it has [\"at-a\", \"at-b\"]");
    }

    @Test
    void a_file_without_a_current_context_needs_one_named() throws IOException {
        Path file = kubeconfig("");

        assertThatThrownBy(() -> KubernetesExecutor.fromKubeconfig(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("kubeconfig \"" + file
                        + "\" has no context that is the current one; it has [\"at-a\", \"at-b\"]");
    }

    @Test
    void a_missing_file_is_reported_with_a_valid_example() {
        Path file = folder.resolve("none");

        assertThatThrownBy(() -> KubernetesExecutor.fromKubeconfig(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("kubeconfig \"" + file + "\" must be a file that can be read; for example"
                        + " Path.of(System.getProperty(\"user.home\"), \".kube\", \"config\")");
    }

    @Test
    void only_an_own_client_is_closed() throws IOException {
        ClusterClient own = ClusterClient.of(kubeconfig("current-context: at-a"), Optional.empty());
        own.close();
        KubernetesClient handed = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(own.client().getConfiguration()).build())
                .build();
        ClusterClient.using(handed).close();

        assertThat(own.client().getHttpClient().isClosed()).isTrue();
        assertThat(handed.getHttpClient().isClosed()).isFalse();
        handed.close();
    }
}
