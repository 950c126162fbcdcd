package dev.edl;

import dev.edl.internal.text.DurationText;
import java.time.Duration;
import java.util.Objects;

/**
 * How long a relaunch waits: {@code initial * factor^n}, at most {@code max}, where n counts the relaunches that the
 * replica's lineage has spent before. A relaunch that spends nothing (a deletion, a kill) does not wait for it. The delays of a
 * temporary exit code are those of {@link ExitCodePolicy}.
 *
 * @param initial wait before the first relaunch; zero for none, which is the default, as ElasticDL relaunches at once
 * @param factor at least 1
 * @param max the longest wait, at most 36500 days
 */
public record Backoff(Duration initial, double factor, Duration max) {
    /** No wait at all. */
    public static final Backoff NONE = new Backoff(Duration.ZERO, 1, Duration.ZERO);

    /** Checks signs, order and size. */
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

    /** A wait that doubles each time. */
    public static Backoff doubling(Duration initial, Duration max) {
        return new Backoff(initial, 2, max);
    }

    /**
     * The wait before a relaunch.
     *
     * @param spent relaunches that the lineage has spent before, at least 0
     */
    public Duration delay(int spent) {
        double millis = initial.toMillis() * Math.pow(factor, spent);
        return millis >= max.toMillis() ? max : Duration.ofMillis(Math.round(millis));
    }
}
