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
 * Client of the cluster, which this object closes if it created it.
 *
 * @param client Kubernetes client of the cluster
 * @param own whether this object created the client, and so closes it
 * @param reach checks whether the cluster answers; it never queries a client of the caller
 */
record ClusterClient(KubernetesClient client, boolean own, ConnectivityCheck reach) implements AutoCloseable {
    /** Wraps a client that the caller closes. */
    static ClusterClient using(KubernetesClient client) {
        return new ClusterClient(Objects.requireNonNull(client, "client"), false, ConnectivityCheck.given(client));
    }

    /**
     * Creates a client for the cluster that {@code kubectl} finds, or else for the cluster of the pod that this program
     * runs in.
     */
    static ClusterClient ofEnvironment() {
        ClusterConfigSources here = ClusterConfigSources.ofProcess();
        KubernetesClient client = ConnectivityCheck.client(here);
        return new ClusterClient(client, true, ConnectivityCheck.of(client, here));
    }

    /** Creates a client for a context of the kubeconfig that {@code kubectl} finds. */
    static ClusterClient ofContext(String context) {
        Config config = Config.autoConfigure(context);
        NamedContext chosen = config.getCurrentContext();
        if (chosen == null || !context.equals(chosen.getName())) {
            throw new IllegalArgumentException(
                    "context must be one of the kubeconfig's, was \"" + context + "\"; it has "
                            + config.getContexts().stream()
                                    .map(named -> "\"" + named.getName() + "\"")
                                    .sorted()
                                    .toList());
        }
        KubernetesClient client =
                new KubernetesClientBuilder().withConfig(config).build();
        return new ClusterClient(client, true, ConnectivityCheck.of(client, "of context " + context));
    }

    /** Creates a client from a kubeconfig file, for the given context or the file's current one. */
    static ClusterClient of(Path kubeconfig, Optional<String> context) {
        if (!Files.isReadable(kubeconfig)) {
            throw new IllegalArgumentException("kubeconfig \"" + kubeconfig + "\" must be a file that can be read; for"
                    + " example Path.of(System.getProperty(\"user.home\"), \".kube\", \"config\")");
        }
        Config config = Config.fromKubeconfig(context.orElse(null), kubeconfig.toFile());
        NamedContext chosen = config.getCurrentContext();
        // If the context is missing, the client silently falls back to another one: a different cluster.
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
