package dev.edl.spec;

/**
 * Bounds of a role's number of replicas when it is scaled while the job runs.
 *
 * @param min smallest number of replicas, at least 1
 * @param max largest number of replicas, at least {@code min}
 */
public record ElasticBounds(int min, int max) {
    /**
     * Checks the bounds.
     *
     * @throws IllegalArgumentException unless 1 &lt;= min &lt;= max
     */
    public ElasticBounds {
        if (min < 1 || max < min) {
            throw new IllegalArgumentException(
                    "elastic(min, max) needs 1 <= min <= max, for example elastic(1, 8); was elastic(" + min + ", "
                            + max + ")");
        }
    }

    /** Returns whether a number of replicas lies within the bounds. */
    public boolean contains(int replicas) {
        return min <= replicas && replicas <= max;
    }

    /** Returns both bounds, for example {@code 1..8}. */
    @Override
    public String toString() {
        return min + ".." + max;
    }
}
