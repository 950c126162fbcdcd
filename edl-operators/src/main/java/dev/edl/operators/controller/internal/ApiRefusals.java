package dev.edl.operators.controller.internal;

import dev.edl.exec.RequestFailure;
import dev.edl.k8s.client.MissingPermission;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.stream.Collectors;

/** Requests of a job that the cluster refuses until a person changes something; the job's status reports them. */
public final class ApiRefusals {
    private static final int UNPROCESSABLE = 422;

    private ApiRefusals() {}

    /** Whether it is a refusal, as of a right or a quota that is missing, and not a server that is away. */
    public static boolean lasts(KubernetesClientException e) {
        return e.getCode() == HttpURLConnection.HTTP_FORBIDDEN
                || e.getCode() == HttpURLConnection.HTTP_BAD_REQUEST
                || e.getCode() == UNPROCESSABLE;
    }

    /** Returns what a running job's requests meet and what helps, the oldest first; empty when all are answered. */
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
