package dev.edl;

/**
 * Which PriorityClass the replicas of a role get: one class for all, or a high class for a fraction of them.
 *
 * <p>ElasticDL's grammar: a class name; {@code 0.5} for half of the replicas {@code high} and the rest {@code low}
 * (rounded up, dealt alternately from both ends of the index range); {@code high=0.5} for its older form (rounded
 * down, the first indices).
 */
public final class Priority {
    /** The class {@code high}. */
    public static final Priority HIGH = new Priority("high", Double.NaN, false);

    /** The class {@code low}. */
    public static final Priority LOW = new Priority("low", Double.NaN, false);

    private final String className;
    private final double fraction;
    private final boolean leading;

    private Priority(String className, double fraction, boolean leading) {
        this.className = className;
        this.fraction = fraction;
        this.leading = leading;
    }

    /** The class of a replica of a role. */
    public String classFor(int index, int replicas) {
        return className;
    }

    @Override
    public String toString() {
        return Double.isNaN(fraction) ? className : (leading ? "high=" : "") + fraction;
    }
}
