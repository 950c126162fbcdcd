package dev.edl.k8s;

import dev.edl.k8s.client.Reach;
import dev.edl.k8s.client.Surroundings;
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
record Connection(KubernetesClient client, boolean own, Reach reach) implements AutoCloseable {
    /** Of a client that the caller closes. */
    static Connection using(KubernetesClient client) {
        return new Connection(Objects.requireNonNull(client, "client"), false, Reach.given(client));
    }

    /** As {@code kubectl} finds its cluster, or as a pod does. */
    static Connection ofEnvironment() {
        Surroundings here = Surroundings.ofProcess();
        KubernetesClient client = Reach.client(here);
        return new Connection(client, true, Reach.of(client, here));
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
        KubernetesClient client =
                new KubernetesClientBuilder().withConfig(config).build();
        return new Connection(client, true, Reach.of(client, "of kubeconfig " + kubeconfig));
    }

    @Override
    public void close() {
        if (own) {
            client.close();
        }
    }
}
