package dev.edl.exec;

import java.util.Objects;
import java.util.Optional;

/**
 * Why a request failed, in words for a person.
 *
 * @param reason one word, as for a counter or a Kubernetes Event: {@code Forbidden}, {@code Unreachable}
 * @param message what the place answered
 * @param advice what helps, when that is known: {@code raise the quota}
 * @param permanent whether a repetition cannot succeed before the job or the place is changed, as with an invalid spec; such a
 *     request is repeated with the longest pause only
 */
public record FailureCause(String reason, String message, Optional<String> advice, boolean permanent) {
    /** Checks that nothing is null. */
    public FailureCause {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(advice, "advice");
    }

    /** Returns a cause by the exception's class and message; nothing more is known of it. */
    public static FailureCause of(Throwable failure) {
        String reason = failure.getClass().getSimpleName();
        String message = failure.getMessage();
        return new FailureCause(
                reason.isEmpty() ? "Failure" : reason,
                message == null || message.isBlank() ? failure.toString() : message,
                Optional.empty(),
                false);
    }

    /** Returns the same cause with more advice. */
    FailureCause or(String more) {
        return new FailureCause(
                reason, message, Optional.of(advice.map(a -> a + ", or " + more).orElse(more)), permanent);
    }

    /** Returns the cause of one replica's failure as that of another one's. */
    FailureCause of(String replica, String other) {
        return new FailureCause(reason, message.replace(replica, other), advice, permanent);
    }

    /** Returns the message and the advice: {@code exceeded quota: four-pods; raise the quota}. */
    @Override
    public String toString() {
        return message + advice.map(a -> "; " + a).orElse("");
    }
}
