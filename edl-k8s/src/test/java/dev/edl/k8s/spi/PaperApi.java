package dev.edl.k8s.spi;

import dev.edl.k8s.client.ClusterApi;
import dev.edl.k8s.client.PodHandler;
import dev.edl.k8s.client.PodWatch;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Pods and records of a namespace in memory, for drivers that share them. Each creation of a pod takes 40 ms of a
 * virtual time.
 *
 * <p>It does not simulate watch events (lists are always current), labels, grace periods and garbage collection. Not
 * thread-safe.
 */
public final class PaperApi implements ClusterApi {
    private static final Duration CREATION = Duration.ofMillis(40);
    private final KubernetesSerialization json = new KubernetesSerialization();
    private final Map<String, ConfigMap> maps = new LinkedHashMap<>();
    private int version;
    final Map<String, Pod> pods = new LinkedHashMap<>();
    /** Requests so far, {@code create NAME}, {@code delete NAME}, {@code get record}. */
    final List<String> requests = new ArrayList<>();

    public Instant now = Instant.parse("2026-01-01T00:00:00Z");

    /** Whether reads of records fail. */
    public boolean away;

    /** Time since when no watch can be renewed. */
    public Optional<Instant> unwatched = Optional.empty();

    /** Called right before a pod is created or deleted. */
    Runnable before = () -> {};

    public long count(String request) {
        return requests.stream().filter(one -> one.startsWith(request)).count();
    }

    @Override
    public String namespace() {
        return "test";
    }

    @Override
    public PodWatch watchPods(Map<String, String> labels, PodHandler handler, String what) {
        return new PodWatch() {
            @Override
            public List<Pod> list() {
                return List.copyOf(pods.values());
            }

            @Override
            public @Nullable Pod get(String name) {
                return pods.get(name);
            }

            @Override
            public Optional<Instant> staleSince() {
                return unwatched;
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public Optional<Pod> pod(String name) {
        requests.add("get " + name);
        return Optional.ofNullable(pods.get(name));
    }

    @Override
    public String podText(Pod pod) {
        return json.asJson(pod);
    }

    @Override
    public void createPod(String text) {
        before.run();
        Pod pod = json.unmarshal(text, Pod.class);
        String name = pod.getMetadata().getName();
        requests.add("create " + name);
        now = now.plus(CREATION);
        if (pods.containsKey(name)) {
            throw refusal(409, "pods \"" + name + "\" already exists");
        }
        put(pod);
    }

    /** Replaces a pod with another one of its name. */
    void replacePod(String name) {
        put(Objects.requireNonNull(pods.get(name), name));
    }

    private void put(Pod pod) {
        pods.put(
                pod.getMetadata().getName(),
                new PodBuilder(pod)
                        .editMetadata()
                        .withUid("uid-" + ++version)
                        .endMetadata()
                        .withNewStatus()
                        .withPhase("Running")
                        .endStatus()
                        .build());
    }

    @Override
    public void deletePod(String name, Optional<String> uid, OptionalLong graceSeconds) {
        before.run();
        requests.add("delete " + name);
        pods.computeIfPresent(
                name,
                (n, pod) ->
                        uid.isPresent() && !uid.get().equals(pod.getMetadata().getUid()) ? pod : null);
    }

    @Override
    public boolean patchPod(String name, Map<String, Object> patch) {
        throw new UnsupportedOperationException("no pod of these tests is in a group of Kueue");
    }

    @Override
    public Optional<ConfigMap> configMap(String name) {
        requests.add("get record");
        if (away) {
            throw refusal(503, "the server is currently unable to handle the request");
        }
        return Optional.ofNullable(maps.get(name));
    }

    @Override
    public ConfigMap createConfigMap(ConfigMap map) {
        return keep(new ConfigMapBuilder(map)
                .editMetadata()
                .withUid("uid-of-record")
                .endMetadata()
                .build());
    }

    @Override
    public ConfigMap replaceConfigMap(ConfigMap next) {
        ConfigMap there = maps.get(next.getMetadata().getName());
        if (there == null
                || !there.getMetadata()
                        .getResourceVersion()
                        .equals(next.getMetadata().getResourceVersion())) {
            throw refusal(409, "the object has been modified");
        }
        return keep(next);
    }

    private ConfigMap keep(ConfigMap map) {
        ConfigMap kept = new ConfigMapBuilder(map)
                .editMetadata()
                .withResourceVersion(Integer.toString(++version))
                .endMetadata()
                .build();
        maps.put(map.getMetadata().getName(), kept);
        return kept;
    }

    @Override
    public void deleteConfigMap(ConfigMap map) {
        maps.remove(map.getMetadata().getName());
    }

    private static KubernetesClientException refusal(int code, String message) {
        return new KubernetesClientException(message, code, null);
    }
}
