package dev.edl.image;

import dev.edl.k8s.client.SelfAccessReview;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Preflight of the three ways by which a program's classes reach the pods of a cluster. A way whose list is empty works
 * as far as it can be checked from here.
 *
 * <pre>{@code
 * System.out.println(ProgramDelivery.preflight(client, "default", "registry.example"));
 * }</pre>
 *
 * @param image what an image in a registry ({@link ProgramImage#push}) lacks
 * @param claim what a class path on a claim ({@link ClassPathClaim#upload}) lacks
 * @param imageVolume what jars as an image volume ({@link ProgramImage#pushJars}) lack
 * @param claims names of the claims that pods of all nodes can mount
 */
public record ProgramDelivery(List<String> image, List<String> claim, List<String> imageVolume, List<String> claims) {
    private static final int IMAGE_VOLUMES_SINCE = 36;
    private static final Duration REGISTRY_LIMIT = Duration.ofSeconds(5);
    private static final Pattern RUNTIME = Pattern.compile("(containerd|cri-o)://(\\d+)\\.(\\d+).*");
    /** First version of a container runtime with image volumes, as thousand times major plus minor. */
    private static final Map<String, Integer> RUNTIMES = Map.of("containerd", 2001, "cri-o", 1031);

    private static final Map<String, List<String>> PERMISSIONS = new TreeMap<>(Map.of(
            "pods", List.of("create", "delete", "list", "watch"),
            "configmaps", List.of("create"),
            "pods/portforward", SelfAccessReview.WEB_SOCKET));

    /** Copies the lists. */
    public ProgramDelivery {
        image = List.copyOf(image);
        claim = List.copyOf(claim);
        imageVolume = List.copyOf(imageVolume);
        claims = List.copyOf(claims);
    }

    /**
     * Checks the three ways.
     *
     * @param namespace namespace of the jobs
     * @param registry host and perhaps port of a registry, such as {@code registry.example:5000}; null if there is none.
     *     The check connects to it over TLS and waits at most 5 s; it does not check whether the nodes can pull from
     *     it
     * @throws IllegalArgumentException if the registry is not a host with perhaps a port, or the namespace no name
     * @throws KubernetesClientException if the API server does not answer
     */
    public static ProgramDelivery preflight(KubernetesClient client, String namespace, @Nullable String registry)
            throws InterruptedException {
        ClassPathClaim.name("namespace", namespace, "default");
        if (registry != null && !registry.matches("[A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?(:[0-9]{1,5})?")) {
            throw new IllegalArgumentException(
                    "registry must be a host and perhaps a port, without a scheme and a path, was" + " \"" + registry
                            + "\"; for example registry.example:5000");
        }
        List<String> image = registry(registry);
        List<String> claim = new ArrayList<>();
        PERMISSIONS.forEach((resource, verbs) -> verbs.stream()
                .filter(verb -> !SelfAccessReview.allow(client, "", resource, null, verb, namespace))
                .forEach(verb -> claim.add("permission to " + verb + " " + resource)));
        List<String> claims = claims(client, namespace, claim);
        List<String> imageVolume = new ArrayList<>(image);
        version(client, imageVolume);
        runtimes(client, imageVolume);
        return new ProgramDelivery(image, claim, imageVolume, claims);
    }

    private static List<String> registry(@Nullable String registry) throws InterruptedException {
        if (registry == null) {
            return List.of("a registry that this machine can push to and the nodes can pull from");
        }
        URI address = URI.create("https://" + registry + "/v2/");
        try {
            // Any answer will do: most registries want a password.
            HttpClient.newBuilder()
                    .connectTimeout(REGISTRY_LIMIT)
                    .build()
                    .send(
                            HttpRequest.newBuilder(address)
                                    .timeout(REGISTRY_LIMIT)
                                    .build(),
                            HttpResponse.BodyHandlers.discarding());
            return List.of();
        } catch (IOException e) {
            return List.of("a registry that responds at " + address + ": " + e);
        }
    }

    private static List<String> claims(KubernetesClient client, String namespace, List<String> missing) {
        List<PersistentVolumeClaim> all;
        try {
            all = client.persistentVolumeClaims().inNamespace(namespace).list().getItems();
        } catch (KubernetesClientException e) {
            return unlessForbidden(e);
        }
        List<String> shared = all.stream()
                .filter(one -> one.getSpec().getAccessModes().contains("ReadWriteMany"))
                .map(one -> one.getMetadata().getName())
                .toList();
        if (shared.isEmpty()) {
            missing.add("a PersistentVolumeClaim with access mode ReadWriteMany in namespace " + namespace
                    + (all.isEmpty() ? "" : "; pods of one node can use another one"));
        }
        return shared;
    }

    /** Returns an empty list if a list is forbidden, so that it is not checked. */
    private static <T> List<T> unlessForbidden(KubernetesClientException e) {
        if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
            return List.of();
        }
        throw e;
    }

    private static void version(KubernetesClient client, List<String> missing) {
        var version = client.getKubernetesVersion();
        int minor = Integer.parseInt("0" + version.getMinor().replaceAll("\\D.*", ""));
        if (version.getMajor().equals("1") && minor < IMAGE_VOLUMES_SINCE) {
            missing.add("Kubernetes 1." + IMAGE_VOLUMES_SINCE + " or newer, was " + version.getMajor() + "."
                    + version.getMinor());
        }
    }

    private static void runtimes(KubernetesClient client, List<String> missing) {
        List<Node> nodes;
        try {
            nodes = client.nodes().list().getItems();
        } catch (KubernetesClientException e) {
            nodes = unlessForbidden(e);
        }
        TreeSet<String> old = new TreeSet<>();
        for (Node node : nodes) {
            String runtime = node.getStatus().getNodeInfo().getContainerRuntimeVersion();
            Matcher parts = RUNTIME.matcher(runtime);
            if (parts.matches()
                    && Integer.parseInt(parts.group(2)) * 1000 + Integer.parseInt(parts.group(3))
                            < RUNTIMES.getOrDefault(parts.group(1), 0)) {
                old.add(runtime);
            }
        }
        if (!old.isEmpty()) {
            missing.add("nodes with containerd 2.1 or CRI-O 1.31 or newer, but there are " + String.join(", ", old));
        }
    }

    /** Returns a line for each way. */
    @Override
    public String toString() {
        return line("image in a registry", image, "")
                + line("class path on a claim", claim, claims.isEmpty() ? "" : " on " + String.join(", ", claims))
                + line("jars as an image volume", imageVolume, "");
    }

    private static String line(String way, List<String> missing, String where) {
        return way + ": " + (missing.isEmpty() ? "works" + where : "needs " + String.join("; ", missing)) + "\n";
    }
}
