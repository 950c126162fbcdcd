package dev.edl.k8s.client;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The requests of one namespace that driving a job takes: for its pods, and for the ConfigMap that is its record. Each request that
 * the API server refuses, or that gets no answer, throws a {@link io.fabric8.kubernetes.client.KubernetesClientException} with the
 * server's code. One without an answer may have taken effect. Thread-safe.
 */
public interface ClusterApi {
    /** Returns the requests as a client makes them. */
    static ClusterApi of(KubernetesClient client, String namespace) {
        return new Fabric8ClusterApi(client, namespace);
    }

    /** Returns the namespace. */
    String namespace();

    /**
     * Lists the pods with these labels and begins to watch them. A watch that ends is begun again with a new list. No list is older
     * than the request for it: a job's record, read before, may know pods that an older list would not show.
     *
     * @param what the watched objects, for the log: {@code the pods of job "mnist"}
     */
    PodWatch watchPods(Map<String, String> labels, PodHandler handler, String what);

    /** Reads a pod; empty when there is none of the name. */
    Optional<Pod> pod(String name);

    /** Returns the text by which {@link #createPod} makes a pod; makes no request. */
    String podText(Pod pod);

    /** Creates the pod of a text that {@link #podText} returned; 409 when a pod of the name exists. */
    void createPod(String text);

    /**
     * Deletes a pod. No effect when it is gone, or has another uid.
     *
     * @param uid of the only pod that may be deleted; empty for whichever has the name
     * @param graceSeconds how long its containers have to end; empty for the grace of its spec
     */
    void deletePod(String name, Optional<String> uid, OptionalLong graceSeconds);

    /** Reads a ConfigMap; empty when there is none of the name. */
    Optional<ConfigMap> configMap(String name);

    /** Creates a ConfigMap and returns it as the server keeps it; 409 when one of the name exists. */
    ConfigMap createConfigMap(ConfigMap map);

    /**
     * Replaces a ConfigMap whose resource version is that of {@code next}, and returns {@code next} with its new version; 409 when
     * the version is another, 404 when it is gone.
     */
    ConfigMap replaceConfigMap(ConfigMap next);

    /** Deletes a ConfigMap of this uid and resource version; 409 when either is another. No effect when it is gone. */
    void deleteConfigMap(ConfigMap map);
}
