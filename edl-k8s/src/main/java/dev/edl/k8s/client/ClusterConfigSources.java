package dev.edl.k8s.client;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sources of a cluster configuration, in the order in which the Kubernetes client reads them.
 *
 * @param env environment variables
 * @param home the user's home directory
 */
public record ClusterConfigSources(Map<String, String> env, Path home) {
    private static final String FILES = "KUBECONFIG";
    private static final String POD = "KUBERNETES_SERVICE_HOST";
    private static final String SERVER = "KUBERNETES_MASTER";

    /** Advice for messages: how to name a kubeconfig file explicitly. */
    static final String ADVICE = "name a kubeconfig file, for example"
            + " KubernetesExecutor.fromKubeconfig(Path.of(\"/etc/acme/kubeconfig\")), or set KUBECONFIG";

    /** Returns the sources of this process. */
    public static ClusterConfigSources ofProcess() {
        return new ClusterConfigSources(System.getenv(), Path.of(System.getProperty("user.home", "/")));
    }

    /**
     * Returns a phrase for messages that names the source of the cluster, such as {@code of kubeconfig /a/config};
     * empty if no source names a cluster.
     */
    Optional<String> found() {
        if (env.containsKey(SERVER)) {
            return Optional.of("of " + SERVER);
        }
        List<Path> there = files().stream().filter(Files::isReadable).toList();
        if (!there.isEmpty()) {
            return Optional.of("of kubeconfig " + join(there));
        }
        return env.containsKey(POD) ? Optional.of("of this pod's service account") : Optional.empty();
    }

    /** Returns a text with the sources that were tried, and why each names no cluster. */
    String lookedFor() {
        List<String> parts = new ArrayList<>();
        String files = env.getOrDefault(FILES, "");
        if (files.isEmpty()) {
            parts.add(FILES + " is not set");
            parts.add(standard() + " cannot be read");
        } else {
            parts.add(FILES + " is \"" + files + "\", which cannot be read");
        }
        parts.add("this process runs in no pod (" + POD + " is not set)");
        return String.join(", ", parts);
    }

    private List<Path> files() {
        String files = env.getOrDefault(FILES, "");
        return files.isEmpty()
                ? List.of(standard())
                : Arrays.stream(files.split(File.pathSeparator, -1))
                        .filter(file -> !file.isEmpty())
                        .map(Path::of)
                        .toList();
    }

    private Path standard() {
        return home.resolve(".kube").resolve("config");
    }

    private static String join(List<Path> files) {
        return String.join(
                File.pathSeparator, files.stream().map(Path::toString).toList());
    }
}
