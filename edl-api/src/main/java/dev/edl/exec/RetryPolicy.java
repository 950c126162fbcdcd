package dev.edl.exec;

import dev.edl.Backoff;
import java.time.Duration;
import java.util.Objects;

/**
 * Pauses before a loop retries a failed request. Retries have no limit: a failure of the substrate never ends a job.
 * Each request has its own pauses, which start again from the first one after a success.
 *
 * <pre>{@code
 * new RetryPolicy(Backoff.doubling(Duration.ofSeconds(1), Duration.ofMinutes(5)), 0.2)
 * }</pre>
 *
 * @param backoff first pause, factor and longest pause; the first one must be at least 1 ms
 * @param jitter the share, 0 to 1, by which a pause may be shorter, so that many jobs do not retry at the same moment.
 *     It is derived from the request's name, not random
 */
public record RetryPolicy(Backoff backoff, double jitter) {
    /** Pauses of 0.2 s, 0.4 s, and so on up to 1 minute, each up to a tenth shorter. */
    public static final RetryPolicy DEFAULT =
            new RetryPolicy(Backoff.doubling(Duration.ofMillis(200), Duration.ofMinutes(1)), 0.1);

    /** Checks the first pause and the jitter. */
    public RetryPolicy {
        Objects.requireNonNull(backoff, "backoff");
        if (backoff.initial().toMillis() < 1) {
            throw new IllegalArgumentException("the first pause of a retry policy must be at least 1ms, since failed"
                    + " requests are retried without limit; for example Backoff.doubling(Duration.ofMillis(200),"
                    + " Duration.ofMinutes(1));"
                    + " was " + backoff);
        }
        if (!(jitter >= 0 && jitter <= 1)) {
            throw new IllegalArgumentException(
                    "the jitter of a retry policy must lie between 0 and 1, for example 0.1; was " + jitter);
        }
    }

    /** Returns a policy without jitter. */
    public static RetryPolicy of(Backoff backoff) {
        return new RetryPolicy(backoff, 0);
    }

    /**
     * Returns the pause after a failure.
     *
     * @param request the name of the request, which determines the jitter
     * @param failures the number of consecutive failures, at least 1
     * @param permanent whether a retry cannot succeed before the job or the substrate is changed; then the pause is the
     *     longest
     */
    Duration pause(String request, int failures, boolean permanent) {
        Duration pause = permanent ? backoff.max() : backoff.delay(failures - 1);
        long spread = (request.hashCode() * 31L + failures) * 0x9E3779B97F4A7C15L;
        double share = (spread >>> 40) / (double) (1 << 24);
        return Duration.ofMillis(Math.max(1, Math.round(pause.toMillis() * (1 - jitter * share))));
    }
}
