package dev.edl.k8s.client;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;

/** What the API server means by 409. */
public final class ConflictReasons {
    private ConflictReasons() {}

    /**
     * Whether a creation was refused since there is an object of the name. It may also have been refused since a quota was changed at
     * the same time, reason {@code Conflict}: nothing is there then.
     */
    public static boolean exists(KubernetesClientException e) {
        return e.getCode() == HttpURLConnection.HTTP_CONFLICT
                && (e.getStatus() == null || !"Conflict".equals(e.getStatus().getReason()));
    }
}
