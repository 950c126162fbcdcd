package dev.edl.runtime.ps;

import dev.edl.runtime.ps.rows.Fingerprint;
import java.util.List;

/**
 * One life of a parameter shard: from the moment a server takes over a state until it stops or takes over another
 * state.
 *
 * <p>A version counts updates, so a shard restored to an older state makes the same versions again with other weights.
 * The life distinguishes them: a gradient is based on a version of one life, and every other life refuses it as stale.
 *
 * @param run the run's name. If the server does not run in the process of the master that began this life, the master's
 *     process follows after a slash. Empty for a shard that no master has assigned
 * @param term number of the term of the master that began this life; 0 for a shard that no master has assigned
 * @param number counts the lives of one shard in one term, from 0
 */
public record ShardLife(String run, long term, long number) {
    /** Separator in {@link #run} between the run's name and the master's process. */
    public static final String OF_PROCESS = "/";

    /** The first life of a shard that no master has assigned. */
    public static final ShardLife UNORDERED = new ShardLife("", 0, 0);

    /** Value in place of a {@link #fingerprint} if the lives are unknown. */
    public static final long UNKNOWN_LIVES = 0;

    /**
     * Checks the term and the number of the life.
     *
     * @throws IllegalArgumentException when term or number is negative
     */
    public ShardLife {
        if (term < 0 || number < 0) {
            throw new IllegalArgumentException(
                    "a shard's life needs a term and a number of at least 0, was " + term + " and " + number);
        }
    }

    /**
     * Returns a number that identifies the lives of all shards; never {@link #UNKNOWN_LIVES}.
     *
     * @param lives one life of each shard, in the order of the shards
     */
    public static long fingerprint(List<ShardLife> lives) {
        long print = lives.size();
        for (ShardLife life : lives) {
            // The run's name too: if all servers are lost with the master, terms restart at 1.
            print = Fingerprint.and(print, life.run().hashCode());
            print = Fingerprint.and(Fingerprint.and(print, life.term()), life.number());
        }
        return print == UNKNOWN_LIVES ? 1 : print;
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
