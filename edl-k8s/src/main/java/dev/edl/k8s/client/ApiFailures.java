package dev.edl.k8s.client;

import dev.edl.exec.FailureCause;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Optional;

/** Explains why a request to the API server failed, and how to fix it. Pure. */
public final class ApiFailures {
    private static final int UNPROCESSABLE = 422;
    private static final int TOO_MANY_REQUESTS = 429;

    private ApiFailures() {}

    public static FailureCause explain(RuntimeException failure) {
        if (!(failure instanceof KubernetesClientException e)) {
            return FailureCause.of(failure);
        }
        String message = message(e);
        return new FailureCause(
                reason(e, message), message, advice(e, message), isInvalid(e) && !message.contains("dry run"));
    }

    /** Returns whether the API server rejected an object as invalid, so that a retry is useless. */
    public static boolean isInvalid(KubernetesClientException e) {
        return e.getCode() == HttpURLConnection.HTTP_BAD_REQUEST || e.getCode() == UNPROCESSABLE;
    }

    /** Returns the server's own message, without the client's prefix, which repeats the request. */
    private static String message(KubernetesClientException e) {
        Status status = e.getStatus();
        if (status != null
                && status.getMessage() != null
                && !status.getMessage().isBlank()) {
            return status.getMessage();
        }
        Throwable root = e;
        while (e.getCode() <= 0 && root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return root.getMessage() == null || root.getMessage().isBlank() ? root.toString() : root.getMessage();
    }

    private static String reason(KubernetesClientException e, String message) {
        if (message.contains("exceeded quota")) {
            return "ExceededQuota";
        }
        if (message.contains("failed calling webhook")) {
            return "WebhookFailed";
        }
        Status status = e.getStatus();
        if (status != null && status.getReason() != null && status.getReason().matches("[A-Za-z]+")) {
            return status.getReason();
        }
        return switch (Math.max(0, e.getCode())) {
            case 0 -> "Unreachable";
            case HttpURLConnection.HTTP_UNAUTHORIZED -> "Unauthorized";
            case HttpURLConnection.HTTP_FORBIDDEN -> "Forbidden";
            case HttpURLConnection.HTTP_NOT_FOUND -> "NotFound";
            case HttpURLConnection.HTTP_CONFLICT -> "Conflict";
            case TOO_MANY_REQUESTS -> "TooManyRequests";
            default -> isInvalid(e) ? "Invalid" : "Code" + e.getCode();
        };
    }

    private static Optional<String> advice(KubernetesClientException e, String message) {
        if (message.contains("exceeded quota")) {
            return Optional.of("raise the quota");
        }
        if (message.contains("failed calling webhook")) {
            return Optional.of("repair the admission webhook, or delete its configuration");
        }
        if (isInvalid(e)) {
            return Optional.of("correct the job and submit it again");
        }
        return Optional.ofNullable(
                switch (Math.max(0, e.getCode())) {
                    case 0 -> "make the API server reachable from this program";
                    case HttpURLConnection.HTTP_UNAUTHORIZED -> "renew the token or certificate of this program";
                    case HttpURLConnection.HTTP_FORBIDDEN ->
                        MissingPermission.in(message)
                                .map(permission -> "grant the permission: " + permission.command())
                                .orElse("change the fields that the admission policy names");
                    case HttpURLConnection.HTTP_NOT_FOUND -> "check that the namespace still exists";
                    default -> null;
                });
    }
}
