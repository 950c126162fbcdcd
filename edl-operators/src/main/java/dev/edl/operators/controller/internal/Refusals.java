package dev.edl.operators.controller.internal;

import dev.edl.exec.Trouble;
import dev.edl.k8s.client.MissingRight;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.stream.Collectors;

/** Requests of a job that the cluster refuses until a person changes something; the job's status reports them. */
public final class Refusals {
    private static final int UNPROCESSABLE = 422;

    private Refusals() {}

    /** Whether it is a refusal, as of a right or a quota that is missing, and not a server that is away. */
    public static boolean lasts(KubernetesClientException e) {
        return e.getCode() == HttpURLConnection.HTTP_FORBIDDEN
                || e.getCode() == HttpURLConnection.HTTP_BAD_REQUEST
                || e.getCode() == UNPROCESSABLE;
    }

    /** Returns what a running job's requests meet and what helps, the oldest first; empty when all are answered. */
    public static String words(List<Trouble> troubles) {
        return troubles.stream().map(Trouble::message).collect(Collectors.joining("; "));
    }

    public static String words(KubernetesClientException e) {
        String why = e.getStatus() == null || e.getStatus().getMessage() == null
                ? String.valueOf(e.getMessage())
                : e.getStatus().getMessage();
        return MissingRight.told("the cluster refuses it, which is tried again: " + why);
    }
}
