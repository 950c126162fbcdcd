package dev.edl.k8s.client;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.DeleteOptions;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Implementation with fabric8's client. */
final class Fabric8ClusterApi implements ClusterApi {
    /** Interval in milliseconds at which all known pods are passed to the handler again, in case it missed a change. */
    private static final long RESYNC_MILLIS = 60_000;

    private final KubernetesClient client;
    private final String namespace;

    Fabric8ClusterApi(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    @Override
    public String namespace() {
        return namespace;
    }

    @Override
    public PodWatch watchPods(Map<String, String> labels, PodHandler handler, String what) {
        SharedIndexInformer<Pod> pods = ReconnectingInformer.of(
                client.pods().inNamespace(namespace).withLabels(labels),
                new InformerAdapter(handler),
                RESYNC_MILLIS,
                what);
        WatchOutage outage = new WatchOutage(InstantSource.system());
        return new PodWatch() {
            @Override
            public List<Pod> list() {
                return pods.getStore().list();
            }

            @Override
            public @Nullable Pod get(String name) {
                return pods.getStore().getByKey(Cache.namespaceKeyFunc(namespace, name));
            }

            @Override
            public Optional<Instant> staleSince() {
                return outage.since(pods.isWatching());
            }

            @Override
            public void close() {
                pods.close();
            }
        };
    }

    /** Passes an informer's events to a pod handler. */
    private record InformerAdapter(PodHandler handler) implements ResourceEventHandler<Pod> {
        @Override
        public void onAdd(Pod pod) {
            handler.changed(pod);
        }

        // A resync passes the same object twice.
        @SuppressWarnings("ReferenceEquality")
        @Override
        public void onUpdate(Pod before, Pod now) {
            if (before == now) {
                handler.resync();
            } else {
                handler.changed(now);
            }
        }

        @Override
        public void onDelete(Pod pod, boolean unknown) {
            handler.deleted(pod);
        }
    }

    @Override
    public Optional<Pod> pod(String name) {
        return Optional.ofNullable(
                client.pods().inNamespace(namespace).withName(name).get());
    }

    @Override
    public String podText(Pod pod) {
        return client.getKubernetesSerialization().asJson(pod);
    }

    @Override
    public void createPod(String text) {
        // The created pod in the answer is not parsed, because the watch delivers it.
        client.raw(path("pods"), "POST", text);
    }

    @Override
    public void deletePod(String name, Optional<String> uid, OptionalLong graceSeconds) {
        DeleteOptionsBuilder options = new DeleteOptionsBuilder();
        uid.ifPresent(only -> options.withNewPreconditions().withUid(only).endPreconditions());
        graceSeconds.ifPresent(options::withGracePeriodSeconds);
        try {
            delete(path("pods/" + name), options.build());
        } catch (KubernetesClientException e) {
            if (uid.isEmpty() || e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
        }
    }

    @Override
    public boolean patchPod(String name, Map<String, Object> patch) {
        try {
            client.pods()
                    .inNamespace(namespace)
                    .withName(name)
                    .patch(
                            PatchContext.of(PatchType.JSON_MERGE),
                            client.getKubernetesSerialization().asJson(patch));
            return true;
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND && e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
            return false;
        }
    }

    @Override
    public Optional<ConfigMap> configMap(String name) {
        return Optional.ofNullable(
                client.configMaps().inNamespace(namespace).withName(name).get());
    }

    @Override
    public ConfigMap createConfigMap(ConfigMap map) {
        return client.configMaps().inNamespace(namespace).resource(map).create();
    }

    /** Replaces the ConfigMap. Of the API server's answer it parses only the new resource version. */
    @Override
    public ConfigMap replaceConfigMap(ConfigMap next) {
        KubernetesSerialization json = client.getKubernetesSerialization();
        String answer = client.raw(path("configmaps/" + next.getMetadata().getName()), "PUT", json.asJson(next));
        String version = json.unmarshal(answer, GenericKubernetesResource.class)
                .getMetadata()
                .getResourceVersion();
        return new ConfigMapBuilder(next)
                .editMetadata()
                .withResourceVersion(version)
                .endMetadata()
                .build();
    }

    @Override
    public void deleteConfigMap(ConfigMap map) {
        delete(
                path("configmaps/" + map.getMetadata().getName()),
                new DeleteOptionsBuilder()
                        .withPropagationPolicy("Background")
                        .withNewPreconditions()
                        .withUid(map.getMetadata().getUid())
                        .withResourceVersion(map.getMetadata().getResourceVersion())
                        .endPreconditions()
                        .build());
    }

    private void delete(String path, DeleteOptions options) {
        try {
            client.raw(path, "DELETE", options);
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw e;
            }
        }
    }

    private String path(String of) {
        return "/api/v1/namespaces/" + namespace + "/" + of;
    }
}
