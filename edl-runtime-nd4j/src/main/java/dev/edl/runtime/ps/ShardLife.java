package dev.edl.runtime.ps;

/**
 * One life of a parameter shard: from the moment in which a server takes a state over until it stops or takes over another one.
 *
 * <p>A version counts updates, so a shard that returns with an older state makes the same versions again with other weights.
 * The life tells them apart: a gradient is based on a version of one life, and every other life refuses it as stale.
 *
 * @param run the run's name; behind a slash the process of the master that began this life, if that is another one than the
 *     server's; empty for a shard that no master has ordered
 * @param term of the master that began this life; 0 for a shard that no master has ordered
 * @param number counts the lives of one shard in one term, from 0
 */
public record ShardLife(String run, long term, long number) {
    /** Stands between a run's name and a master's process. */
    public static final String OF_PROCESS = "/";

    /** The first life of a shard that no master has ordered. */
    public static final ShardLife UNORDERED = new ShardLife("", 0, 0);

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException when term or number is negative
     */
    public ShardLife {
        if (term < 0 || number < 0) {
            throw new IllegalArgumentException(
                    "a shard's life needs a term and a number of at least 0, was " + term + " and " + number);
        }
    }

    /** Returns whether a master of this run began this life. */
    public boolean isOf(String name) {
        return run.equals(name) || run.startsWith(name + OF_PROCESS);
    }

    /** Returns the life that follows this one in the same term. */
    public ShardLife next() {
        return new ShardLife(run, term, number + 1);
    }

    /** Returns the text for people, for example {@code life 2 of term 1}. */
    @Override
    public String toString() {
        return "life " + number + " of term " + term;
    }
}
