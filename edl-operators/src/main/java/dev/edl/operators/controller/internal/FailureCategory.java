package dev.edl.operators.controller.internal;

import dev.edl.exec.FailureCause;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Locale;

/** Cause of a failed reconcile pass, or of a failed request of a job, as the value of a metric's label. */
public enum FailureCategory {
    /** The object cannot be a job. */
    INVALID,
    /** The job would exceed a replica limit of the controller. */
    REPLICAS,
    /** The job's record, a ConfigMap, has another owner or holds another job. */
    RECORD,
    /** HTTP 401. */
    UNAUTHORIZED,
    /** HTTP 403 for a missing permission, or from an admission webhook. */
    FORBIDDEN,
    /** HTTP 403 for a quota. */
    QUOTA,
    /** HTTP 409: the object was written at the same time. */
    CONFLICT,
    /** HTTP 400 or 422: the API server rejects the object as invalid. */
    REJECTED,
    /** HTTP 429. */
    THROTTLED,
    /** HTTP 5xx. */
    SERVER,
    /** No response. */
    UNREACHABLE,
    /** Any other cause. */
    OTHER;

    public static FailureCategory of(RuntimeException why) {
        if (why instanceof JobAdmission.TooManyReplicasException) {
            return REPLICAS;
        }
        if (why instanceof KubernetesClientException e) {
            return of(e);
        }
        return why instanceof IllegalArgumentException ? RECORD : OTHER;
    }

    private static FailureCategory of(KubernetesClientException e) {
        int code = e.getCode();
        return switch (code) {
            case 0 -> UNREACHABLE;
            case 400, 422 -> REJECTED;
            case 401 -> UNAUTHORIZED;
            case 403 -> String.valueOf(e.getMessage()).contains("exceeded quota") ? QUOTA : FORBIDDEN;
            case 409 -> CONFLICT;
            case 429 -> THROTTLED;
            default -> code >= 500 ? SERVER : OTHER;
        };
    }

    /** Returns the category of a failed request that a job's control loop retries. */
    public static FailureCategory of(FailureCause why) {
        String reason = why.reason();
        return switch (reason) {
            case "ExceededQuota" -> QUOTA;
            case "Unreachable" -> UNREACHABLE;
            case "Unauthorized" -> UNAUTHORIZED;
            case "Forbidden" -> FORBIDDEN;
            case "Conflict", "AlreadyExists" -> CONFLICT;
            case "Invalid", "BadRequest" -> REJECTED;
            case "TooManyRequests" -> THROTTLED;
            case "WebhookFailed", "InternalError", "ServiceUnavailable", "ServerTimeout", "Timeout" -> SERVER;
            default -> reason.matches("Code5[0-9][0-9]") ? SERVER : OTHER;
        };
    }

    /** Returns the value of the metric's label. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
