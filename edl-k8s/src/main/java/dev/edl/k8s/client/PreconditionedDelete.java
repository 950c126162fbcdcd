package dev.edl.k8s.client;

import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;

/** Deletes objects with the uid as a precondition, so that a newer object of the same name is not deleted. */
public final class PreconditionedDelete {
    private PreconditionedDelete() {}

    /**
     * Deletes an object; its dependents are deleted afterwards. Does nothing if the object is gone or another object
     * has its name.
     *
     * @param plural plural name of the object's kind in API paths, such as {@code services}
     * @param object object as read from the cluster, with its uid
     */
    public static void of(KubernetesClient client, String plural, HasMetadata object) {
        delete(client, plural, object, "Background");
    }

    /** Deletes an object as {@link #of} does, but in the foreground: its dependents are deleted before it. */
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
