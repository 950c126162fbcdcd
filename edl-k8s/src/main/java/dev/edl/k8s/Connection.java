package dev.edl.k8s;

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
 */
record Connection(KubernetesClient client, boolean own) implements AutoCloseable {
    /** Of a client that is somebody else's. */
    static Connection using(KubernetesClient client) {
        return new Connection(Objects.requireNonNull(client, "client"), false);
    }

    /** As {@code kubectl} finds its cluster, or as a pod does. */
    static Connection ofEnvironment() {
        return new Connection(new KubernetesClientBuilder().build(), true);
    }

    /** As a file says, in the context of that name, or in the file's own. */
    static Connection of(Path kubeconfig, Optional<String> context) {
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
        return new Connection(new KubernetesClientBuilder().withConfig(config).build(), true);
    }

    @Override
    public void close() {
        if (own) {
            client.close();
        }
    }
}
