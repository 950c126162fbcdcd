package dev.edl.k8s.client;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Requests in one namespace by which a driver runs a job: for the job's pods, and for the ConfigMap that is the job's
 * record. Thread-safe.
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
     * <p>Each list has at least the state at the time of its request. The job's record, which is read earlier, may name
     * pods that an older list would lack.
     *
     * @param what description of the watched objects for the log, such as {@code the pods of job "mnist"}
     */
    PodWatch watchPods(Map<String, String> labels, PodHandler handler, String what);

    /** Reads a pod; empty when none has the name. */
    Optional<Pod> pod(String name);

    /** Returns the JSON from which {@link #createPod} creates a pod; makes no request. */
    String podText(Pod pod);

    /**
     * Creates a pod from the JSON of {@link #podText}. Throws an exception with code 409 if a pod of this name exists.
     */
    void createPod(String text);

    /**
     * Deletes a pod. Does nothing if it is gone or has another uid.
     *
     * @param uid uid of the only pod that may be deleted; empty for any pod of this name
     * @param graceSeconds grace period of the pod's containers in seconds; empty for the grace period in the pod's spec
     */
    void deletePod(String name, Optional<String> uid, OptionalLong graceSeconds);

    /**
     * Changes fields of a pod by a JSON merge patch.
     *
     * @param patch may have the resource version that the pod must have
     * @return false when no pod has the name, or it has another resource version
     */
    boolean patchPod(String name, Map<String, Object> patch);

    /** Reads a ConfigMap; empty when none has the name. */
    Optional<ConfigMap> configMap(String name);

    /**
     * Creates a ConfigMap and returns the stored object. Throws an exception with code 409 if one of this name exists.
     */
    ConfigMap createConfigMap(ConfigMap map);

    /**
     * Replaces the stored ConfigMap if it has the resource version of {@code next}. Returns {@code next} with the new
     * version. Throws an exception with code 409 for another version, and 404 if the ConfigMap is gone.
     */
    ConfigMap replaceConfigMap(ConfigMap next);

    /**
     * Deletes the stored ConfigMap if it has the uid and resource version of {@code map}. Throws an exception with code
     * 409 otherwise. Does nothing if it is gone.
     */
    void deleteConfigMap(ConfigMap map);
}
