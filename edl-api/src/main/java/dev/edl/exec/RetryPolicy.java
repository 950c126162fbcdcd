package dev.edl.exec;

import dev.edl.spec.Backoff;
import java.time.Duration;
import java.util.Objects;

/**
 * Pauses before a control loop retries a failed request. Retries have no limit: a failure of the substrate never ends a
 * job. Each request has its own sequence of pauses, which starts again after a success.
 *
 * <pre>{@code
 * new RetryPolicy(Backoff.doubling(Duration.ofSeconds(1), Duration.ofMinutes(5)), 0.2)
 * }</pre>
 *
 * @param backoff first pause, factor and longest pause; the first one must be at least 1 ms
 * @param jitter the largest share, from 0 to 1, by which a pause is shortened, so that many jobs do not retry at the
 *     same moment. The actual share is derived from the request's name and the number of failures, not random
 */
public record RetryPolicy(Backoff backoff, double jitter) {
    /** Doubling pauses from 0.2 s to 1 minute, each shortened by up to a tenth. */
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
     * Returns the pause before a request is retried.
     *
     * @param request the name of the request, which determines the jitter
     * @param failures the number of consecutive failures, at least 1
     * @param permanent whether a retry cannot succeed before the job or the substrate is changed; then the longest
     *     pause applies
     */
    Duration pause(String request, int failures, boolean permanent) {
        Duration pause = permanent ? backoff.max() : backoff.delay(failures - 1);
        long spread = (request.hashCode() * 31L + failures) * 0x9E3779B97F4A7C15L;
        double share = (spread >>> 40) / (double) (1 << 24);
        return Duration.ofMillis(Math.max(1, Math.round(pause.toMillis() * (1 - jitter * share))));
    }
}
