package dev.edl.spec;

import dev.edl.internal.text.DurationText;
import java.time.Duration;
import java.util.Objects;

/**
 * Exponential delay before a relaunch: {@code initial * factor^n}, at most {@code max}. Here n is the number of
 * relaunches that the replica and its predecessors have spent. A relaunch after a deletion or a kill does not count and
 * is not delayed. {@link ExitCodePolicy} sets the delays of temporary exit codes.
 *
 * @param initial delay before the first relaunch; zero, the default, relaunches at once as ElasticDL does
 * @param factor growth of the delay with each spent relaunch, at least 1
 * @param max the longest delay, at most 36500 days
 */
public record Backoff(Duration initial, double factor, Duration max) {
    /** Backoff without a delay: each relaunch happens at once. */
    public static final Backoff NONE = new Backoff(Duration.ZERO, 1, Duration.ZERO);

    /**
     * Checks the bounds.
     *
     * @throws IllegalArgumentException unless 0 &lt;= initial &lt;= max &lt;= 36500 days, and the factor is finite and
     *     at least 1
     */
    public Backoff {
        Objects.requireNonNull(initial, "initial");
        Objects.requireNonNull(max, "max");
        if (initial.isNegative() || max.compareTo(initial) < 0 || !(factor >= 1) || Double.isInfinite(factor)) {
            throw new IllegalArgumentException("backoff needs 0 <= initial <= max and factor >= 1, for example"
                    + " backoff(PT10S, 2, PT5M); was backoff(" + initial + ", " + factor + ", " + max + ")");
        }
        if (max.compareTo(DurationText.LONGEST) > 0) {
            throw new IllegalArgumentException("backoff needs max <= " + DurationText.LONGEST.toDays()
                    + " days, for example backoff(PT10S, 2, PT5M); was backoff(" + initial + ", " + factor + ", " + max
                    + ")");
        }
    }

    /** Returns a backoff whose delay doubles with each spent relaunch. */
    public static Backoff doubling(Duration initial, Duration max) {
        return new Backoff(initial, 2, max);
    }

    /**
     * Returns the delay before the next relaunch of a replica.
     *
     * @param spent relaunches that the replica and its predecessors have spent, at least 0
     */
    public Duration delay(int spent) {
        double millis = initial.toMillis() * Math.pow(factor, spent);
        return millis >= max.toMillis() ? max : Duration.ofMillis(Math.round(millis));
    }
}
