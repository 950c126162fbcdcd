package dev.edl.operators.controller.internal;

import dev.edl.exec.RequestFailure;
import dev.edl.k8s.client.MissingPermission;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.stream.Collectors;

/** Texts for a job's status about requests that the API server rejects until a person changes something. */
public final class ApiRefusals {
    private static final int UNPROCESSABLE = 422;

    private ApiRefusals() {}

    /**
     * Returns whether the API server rejects the request itself, for example for a missing permission or an exceeded
     * quota, so that retries do not help. False if the API server is unavailable.
     */
    public static boolean lasts(KubernetesClientException e) {
        return e.getCode() == HttpURLConnection.HTTP_FORBIDDEN
                || e.getCode() == HttpURLConnection.HTTP_BAD_REQUEST
                || e.getCode() == UNPROCESSABLE;
    }

    /**
     * Returns text that lists failed requests of a running job and their remedies, oldest first; an empty string
     * without failures.
     */
    public static String describe(List<RequestFailure> failures) {
        return failures.stream().map(RequestFailure::message).collect(Collectors.joining("; "));
    }

    public static String describe(KubernetesClientException e) {
        String why = e.getStatus() == null || e.getStatus().getMessage() == null
                ? String.valueOf(e.getMessage())
                : e.getStatus().getMessage();
        return MissingPermission.withGrantCommand("the API server rejects it; retrying: " + why);
    }
}
