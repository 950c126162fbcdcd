package dev.edl.k8s.client;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;

/** Meanings of the API server's code 409. */
public final class ConflictReasons {
    private ConflictReasons() {}

    /**
     * Returns whether a create was refused because the object exists. Another 409, reason {@code Conflict}, comes from
     * a quota that changed at the same time; then no object exists.
     */
    public static boolean exists(KubernetesClientException e) {
        return e.getCode() == HttpURLConnection.HTTP_CONFLICT
                && (e.getStatus() == null || !"Conflict".equals(e.getStatus().getReason()));
    }
}
