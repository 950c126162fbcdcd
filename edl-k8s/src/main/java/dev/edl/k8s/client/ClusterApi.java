package dev.edl.k8s.client;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Requests in one namespace that driving a job needs: for its pods, and for the ConfigMap that is its record.
 * Thread-safe.
 *
 * <p>A request that the API server refuses or does not answer throws a
 * {@link io.fabric8.kubernetes.client.KubernetesClientException} with the server's code. An unanswered request may have
 * taken effect.
 */
public interface ClusterApi {
    /** Returns an implementation with a fabric8 client. */
    static ClusterApi of(KubernetesClient client, String namespace) {
        return new Fabric8ClusterApi(client, namespace);
    }

    /** Returns the namespace. */
    String namespace();

    /**
     * Lists the pods with these labels and watches them. After the watch ends it lists and watches again.
     *
     * <p>No list is older than its request. The job's record is read before and may name pods that an older list would
     * not have.
     *
     * @param what the watched objects, for the log: {@code the pods of job "mnist"}
     */
    PodWatch watchPods(Map<String, String> labels, PodHandler handler, String what);

    /** Reads a pod; empty when none has the name. */
    Optional<Pod> pod(String name);

    /** Returns the JSON from which {@link #createPod} creates a pod; makes no request. */
    String podText(Pod pod);

    /** Creates the pod from the JSON of {@link #podText}; 409 when a pod of the name exists. */
    void createPod(String text);

    /**
     * Deletes a pod. Does nothing if it is gone or has another uid.
     *
     * @param uid of the only pod that may be deleted; empty for any pod of the name
     * @param graceSeconds grace period of its containers; empty for that of its spec
     */
    void deletePod(String name, Optional<String> uid, OptionalLong graceSeconds);

    /** Reads a ConfigMap; empty when none has the name. */
    Optional<ConfigMap> configMap(String name);

    /** Creates a ConfigMap and returns the stored object; 409 when one of the name exists. */
    ConfigMap createConfigMap(ConfigMap map);

    /**
     * Replaces a ConfigMap if it has the resource version of {@code next}, and returns {@code next} with its new
     * version; 409 for another version, 404 when it is gone.
     */
    ConfigMap replaceConfigMap(ConfigMap next);

    /** Deletes a ConfigMap if it has this uid and resource version; 409 otherwise. Does nothing if it is gone. */
    void deleteConfigMap(ConfigMap map);
}
