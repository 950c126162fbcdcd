package dev.edl.k8s;

import dev.edl.k8s.client.ClusterConfigSources;
import dev.edl.k8s.client.ConnectivityCheck;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * A client of the cluster, and who closes it.
 *
 * @param client to the cluster
 * @param own whether it was made here, and so is closed here
 * @param reach tells whether the cluster answers; of a client that was made here it is asked
 */
record ClusterClient(KubernetesClient client, boolean own, ConnectivityCheck reach) implements AutoCloseable {
    /** Of a client that the caller closes. */
    static ClusterClient using(KubernetesClient client) {
        return new ClusterClient(Objects.requireNonNull(client, "client"), false, ConnectivityCheck.given(client));
    }

    /** As {@code kubectl} finds its cluster, or as a pod does. */
    static ClusterClient ofEnvironment() {
        ClusterConfigSources here = ClusterConfigSources.ofProcess();
        KubernetesClient client = ConnectivityCheck.client(here);
        return new ClusterClient(client, true, ConnectivityCheck.of(client, here));
    }

    /** As a file says, in the context of that name, or in the file's own. */
    static ClusterClient of(Path kubeconfig, Optional<String> context) {
        if (!Files.isReadable(kubeconfig)) {
            throw new IllegalArgumentException("kubeconfig \"" + kubeconfig + "\" must be a file that can be read; for"
                    + " example Path.of(System.getProperty(\"user.home\"), \".kube\", \"config\")");
        }
        Config config = Config.fromKubeconfig(context.orElse(null), kubeconfig.toFile());
        NamedContext chosen = config.getCurrentContext();
        // The client falls back to another context silently, which is another cluster.
        if (chosen == null
                || context.filter(name -> !name.equals(chosen.getName())).isPresent()) {
            throw new IllegalArgumentException("kubeconfig \"" + kubeconfig + "\" has no context "
                    + context.map(name -> "\"" + name + "\"").orElse("that is the current one") + "; it has "
                    + config.getContexts().stream()
                            .map(named -> "\"" + named.getName() + "\"")
                            .sorted()
                            .toList());
        }
        KubernetesClient client =
                new KubernetesClientBuilder().withConfig(config).build();
        return new ClusterClient(client, true, ConnectivityCheck.of(client, "of kubeconfig " + kubeconfig));
    }

    @Override
    public void close() {
        if (own) {
            client.close();
        }
    }
}
