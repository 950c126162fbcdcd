package dev.edl.k8s.lives;

import dev.edl.k8s.client.ClusterApi;
import dev.edl.k8s.client.PodHandler;
import dev.edl.k8s.client.PodWatch;
import dev.edl.k8s.lives.Request.Verb;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Requests of one driver to a {@link MemoryServer}. */
final class MemoryApi implements ClusterApi {
    private final String client;
    private final MemoryServer server;
    private final Timeline time;
    private final Network network;
    private final Map<String, Pod> texts = new HashMap<>();
    final List<MemoryWatch> watches = new ArrayList<>();
    private final @Nullable Random stale;
    private int written;

    MemoryApi(String client, MemoryServer server, Timeline time, Network network) {
        this(client, server, time, network, null);
    }

    /**
     * Creates the requests of a client.
     *
     * @param stale draws the age of a watch's first list; null for lists as new as their request
     */
    MemoryApi(String client, MemoryServer server, Timeline time, Network network, @Nullable Random stale) {
        this.stale = stale;
        this.client = client;
        this.server = server;
        this.time = time;
        this.network = network;
    }

    private <T> T ask(Verb verb, String name, Supplier<T> effect) {
        return network.carry(new Request(client, verb, name), effect);
    }

    @Override
    public String namespace() {
        return "test";
    }

    @Override
    public PodWatch watchPods(Map<String, String> labels, PodHandler handler, String what) {
        List<MemoryWatch> self = new ArrayList<>();
        MemoryWatch watch = new MemoryWatch(
                server,
                time,
                network,
                client,
                labels,
                handler,
                () -> ask(Verb.LIST_PODS, "", () -> self.get(0).listed(stale)));
        self.add(watch);
        watch.begin();
        watches.add(watch);
        return watch;
    }

    @Override
    public Optional<Pod> pod(String name) {
        return ask(Verb.GET_POD, name, () -> Optional.ofNullable(server.pods.get(name)));
    }

    /** Placeholder for the pod: writing and parsing JSON would take most of a life's time. */
    @Override
    public String podText(Pod pod) {
        String text = client + " pod " + written++;
        texts.put(text, pod);
        return text;
    }

    @Override
    public void createPod(String text) {
        Pod pod = texts.get(text);
        if (pod == null) {
            throw new IllegalArgumentException("not a text of podText: " + text);
        }
        ask(Verb.CREATE_POD, Pods.name(pod), () -> server.create(pod));
    }

    @Override
    public void deletePod(String name, Optional<String> uid, OptionalLong graceSeconds) {
        try {
            ask(Verb.DELETE_POD, name, () -> server.delete(name, uid, graceSeconds));
        } catch (KubernetesClientException e) {
            if (e.getCode() != 404 && !(e.getCode() == 409 && uid.isPresent())) {
                throw e;
            }
        }
    }

    @Override
    public boolean patchPod(String name, Map<String, Object> patch) {
        throw new UnsupportedOperationException("no pod of these tests is in a group of Kueue");
    }

    @Override
    public Optional<ConfigMap> configMap(String name) {
        return ask(Verb.GET_RECORD, name, () -> Optional.ofNullable(server.maps.get(name)));
    }

    @Override
    public ConfigMap createConfigMap(ConfigMap map) {
        return ask(Verb.CREATE_RECORD, map.getMetadata().getName(), () -> server.create(map));
    }

    @Override
    public ConfigMap replaceConfigMap(ConfigMap next) {
        return ask(Verb.REPLACE_RECORD, next.getMetadata().getName(), () -> server.replace(next));
    }

    @Override
    public void deleteConfigMap(ConfigMap map) {
        try {
            ask(Verb.DELETE_RECORD, map.getMetadata().getName(), () -> {
                server.delete(map);
                return true;
            });
        } catch (KubernetesClientException e) {
            if (e.getCode() != 404) {
                throw e;
            }
        }
    }
}
