package dev.edl.k8s.client;

import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;

/** Deletes objects with the uid as a precondition, so that a new object of the same name stays. */
public final class PreconditionedDelete {
    private PreconditionedDelete() {}

    /**
     * Deletes an object, then its dependents. Does nothing if it is gone or another object has its name.
     *
     * @param plural of its kind in API paths: {@code services}
     * @param object read from the cluster
     */
    public static void of(KubernetesClient client, String plural, HasMetadata object) {
        delete(client, plural, object, "Background");
    }

    /** Deletes an object as {@link #of} does, but its dependents first. */
    public static void inForeground(KubernetesClient client, String plural, HasMetadata object) {
        delete(client, plural, object, "Foreground");
    }

    private static void delete(KubernetesClient client, String plural, HasMetadata object, String propagation) {
        String version = object.getApiVersion();
        String path = (version.contains("/") ? "/apis/" : "/api/") + version + "/namespaces/"
                + object.getMetadata().getNamespace() + "/" + plural + "/"
                + object.getMetadata().getName();
        try {
            client.raw(
                    path,
                    "DELETE",
                    new DeleteOptionsBuilder()
                            .withPropagationPolicy(propagation)
                            .withNewPreconditions()
                            .withUid(object.getMetadata().getUid())
                            .endPreconditions()
                            .build());
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND && e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
        }
    }
}
