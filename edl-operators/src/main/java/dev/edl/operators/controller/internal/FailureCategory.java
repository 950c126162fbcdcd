package dev.edl.operators.controller.internal;

import dev.edl.exec.FailureCause;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Locale;

/** Why a turn of an object, or a request of a job, came to nothing, as a metric tells it. */
public enum FailureCategory {
    /** The object can be no job. */
    INVALID,
    /** The controller drives as many replicas as it may. */
    REPLICAS,
    /** The job's record is another owner's, or keeps another job. */
    RECORD,
    /** HTTP 401. */
    UNAUTHORIZED,
    /** HTTP 403 for a right that is missing, or of an admission webhook. */
    FORBIDDEN,
    /** HTTP 403 for a quota. */
    QUOTA,
    /** HTTP 409: the object was written at the same time. */
    CONFLICT,
    /** HTTP 400 or 422: the API server calls an object invalid. */
    REJECTED,
    /** HTTP 429. */
    THROTTLED,
    /** HTTP 5xx. */
    SERVER,
    /** No answer. */
    UNREACHABLE,
    /** Anything else. */
    OTHER;

    public static FailureCategory of(RuntimeException why) {
        if (why instanceof Admission.TooManyReplicasException) {
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

    /** Returns the cause of a request that a job's loop repeats. */
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

    /** The value of the metric's label. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
