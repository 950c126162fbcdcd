package dev.edl.exec;

import java.util.Objects;
import java.util.Optional;

/**
 * Cause of a failed request, for people.
 *
 * @param reason one word, as for a counter or a Kubernetes Event: {@code Forbidden}, {@code Unreachable}
 * @param message the substrate's error message
 * @param advice what resolves the failure, if known: {@code raise the quota}
 * @param permanent whether a retry cannot succeed before the job or the substrate is changed, as with an invalid spec;
 *     such a request is only retried with the longest pause
 */
public record FailureCause(String reason, String message, Optional<String> advice, boolean permanent) {
    /** Checks that nothing is null. */
    public FailureCause {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(advice, "advice");
    }

    /** Returns a cause with the exception's class and message, without advice; a retry may succeed. */
    public static FailureCause of(Throwable failure) {
        String reason = failure.getClass().getSimpleName();
        String message = failure.getMessage();
        return new FailureCause(
                reason.isEmpty() ? "Failure" : reason,
                message == null || message.isBlank() ? failure.toString() : message,
                Optional.empty(),
                false);
    }

    /** Returns a copy whose advice has one more alternative, after {@code , or }. */
    FailureCause or(String more) {
        return new FailureCause(
                reason, message, Optional.of(advice.map(a -> a + ", or " + more).orElse(more)), permanent);
    }

    /** Returns a copy in whose message the name {@code replica} is replaced by {@code other}. */
    FailureCause of(String replica, String other) {
        return new FailureCause(reason, message.replace(replica, other), advice, permanent);
    }

    /** Returns the message and the advice: {@code exceeded quota: four-pods; raise the quota}. */
    @Override
    public String toString() {
        return message + advice.map(a -> "; " + a).orElse("");
    }
}
