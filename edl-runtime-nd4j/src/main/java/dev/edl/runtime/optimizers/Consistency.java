package dev.edl.runtime.optimizers;

import java.util.Objects;

/**
 * Consistency mode of a training: the maximum staleness of a gradient, and the number of gradients in one update.
 *
 * <p>A staleness bound of 0 is synchronous training, N is stale-synchronous, and unbounded is asynchronous. A shard
 * rejects a push as stale if it has made more than that many updates since the worker's pull. The worker then pulls
 * again and recomputes, so every applied gradient keeps the bound. Immutable.
 *
 * <pre>{@code
 * Consistency.synchronous();                       // each update averages one gradient of every active worker
 * Consistency.synchronous().withGradsToWait(2);    // each update averages the first two
 * Consistency.staleness(3);
 * Consistency.asynchronous();
 * Consistency.parse("unbounded");
 * }</pre>
 */
public final class Consistency {
    /** Value of {@link #gradsToWait()} if a round waits for every active worker. */
    public static final int ALL = Integer.MAX_VALUE;

    private static final long UNBOUNDED = Long.MAX_VALUE;

    private final long bound;
    private final int gradsToWait;

    private Consistency(long bound, int gradsToWait) {
        this.bound = bound;
        this.gradsToWait = gradsToWait;
    }

    /**
     * Returns the mode with a staleness bound of 0, in which an update averages one gradient of every active worker.
     */
    public static Consistency synchronous() {
        return new Consistency(0, ALL);
    }

    /**
     * Returns the mode with a staleness bound; if the bound is above 0, each gradient is a separate update.
     *
     * @param bound maximum number of updates between pull and push, at least 0; 0 is {@link #synchronous()}
     */
    public static Consistency staleness(int bound) {
        if (bound < 0) {
            throw new IllegalArgumentException(
                    "staleness must be at least 0, was " + bound + "; 0 is synchronous, unbounded is asynchronous");
        }
        return bound == 0 ? synchronous() : new Consistency(bound, 1);
    }

    /** Returns the mode without a staleness bound, in which each gradient is a separate update, applied on arrival. */
    public static Consistency asynchronous() {
        return new Consistency(UNBOUNDED, 1);
    }

    /**
     * Parses a staleness bound: {@code 0}, a whole number such as {@code 3}, or {@code unbounded}.
     *
     * @throws IllegalArgumentException for anything else
     */
    public static Consistency parse(String text) {
        if (text.equals("unbounded")) {
            return asynchronous();
        }
        try {
            return staleness(Integer.parseInt(text));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "staleness \"" + text + "\" must be 0 (synchronous), a whole number such as 3 (stale-synchronous)"
                            + " or unbounded (asynchronous)",
                    e);
        }
    }

    /**
     * Returns the mode with the same staleness bound and another number of gradients in an update.
     *
     * @param gradients number of gradients, at least 1, or {@link #ALL}; a round never waits for more gradients than
     *     there are active workers
     * @throws IllegalArgumentException when asynchronous and more than 1: asynchronous training never waits for other
     *     gradients
     */
    public Consistency withGradsToWait(int gradients) {
        if (gradients < 1) {
            throw new IllegalArgumentException("grads_to_wait must be at least 1, was " + gradients);
        }
        if (isAsynchronous() && gradients > 1) {
            throw new IllegalArgumentException("grads_to_wait must be 1 when the staleness is unbounded, was "
                    + (gradients == ALL ? "all" : gradients) + "; give a staleness bound, for example 3");
        }
        return new Consistency(bound, gradients);
    }

    /** Returns whether the staleness bound is 0, so that workers wait for each other after a push. */
    public boolean isSynchronous() {
        return bound == 0;
    }

    /** Returns whether there is no staleness bound. */
    public boolean isAsynchronous() {
        return bound == UNBOUNDED;
    }

    /** Returns the maximum number of updates between pull and push; {@link Long#MAX_VALUE} without a bound. */
    public long staleness() {
        return bound;
    }

    /** Returns the number of gradients in one update, or {@link #ALL}. */
    public int gradsToWait() {
        return gradsToWait;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Consistency that && bound == that.bound && gradsToWait == that.gradsToWait;
    }

    @Override
    public int hashCode() {
        return Objects.hash(bound, gradsToWait);
    }

    /** Returns, for example, {@code staleness 0, grads_to_wait all}. */
    @Override
    public String toString() {
        return "staleness " + (isAsynchronous() ? "unbounded" : bound) + ", grads_to_wait "
                + (gradsToWait == ALL ? "all" : gradsToWait);
    }
}
