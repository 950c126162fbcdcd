package dev.edl.operators.controller.internal;

import dev.edl.exec.RequestFailure;
import dev.edl.k8s.client.MissingPermission;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.stream.Collectors;

/** Requests of a job that the API server rejects until a person changes something; the job's status reports them. */
public final class ApiRefusals {
    private static final int UNPROCESSABLE = 422;

    private ApiRefusals() {}

    /**
     * Whether the API server rejects the request, for example for a missing permission or quota, rather than being
     * unavailable.
     */
    public static boolean lasts(KubernetesClientException e) {
        return e.getCode() == HttpURLConnection.HTTP_FORBIDDEN
                || e.getCode() == HttpURLConnection.HTTP_BAD_REQUEST
                || e.getCode() == UNPROCESSABLE;
    }

    /** Returns the failures of a running job's requests and their remedies, oldest first; empty when there are none. */
    public static String words(List<RequestFailure> failures) {
        return failures.stream().map(RequestFailure::message).collect(Collectors.joining("; "));
    }

    public static String words(KubernetesClientException e) {
        String why = e.getStatus() == null || e.getStatus().getMessage() == null
                ? String.valueOf(e.getMessage())
                : e.getStatus().getMessage();
        return MissingPermission.told("the API server rejects it; retrying: " + why);
    }
}
