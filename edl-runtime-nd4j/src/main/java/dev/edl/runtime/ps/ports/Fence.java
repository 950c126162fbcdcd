package dev.edl.runtime.ps.ports;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Fencing of a shard: only the master with the highest term seen so far may send requests. If two masters have the same
 * term number, the shard follows the first. Safe for several threads.
 */
public final class Fence {
    private final String shard;
    private @Nullable Term followed;

    /**
     * Creates a fence that has seen no term.
     *
     * @param shard the shard's name in messages
     */
    public Fence(String shard) {
        this.shard = shard;
    }

    /**
     * Accepts a request of a master, whose term the shard follows from now on.
     *
     * @throws StaleTermException when the shard follows a higher term, or another master of this term
     */
    public synchronized void require(Term term) {
        Term last = followed;
        if (last == null || term.number() > last.number()) {
            followed = term;
        } else if (!term.equals(last)) {
            throw new StaleTermException(shard, term, last);
        }
    }

    /**
     * Accepts a request as {@link #require} does and runs it. No other master can take over while it runs.
     *
     * @throws StaleTermException when the shard follows a higher term, or another master of this term
     */
    public synchronized <T> T pass(Term term, Supplier<T> order) {
        require(term);
        return order.get();
    }

    /** Returns the number of the term that the shard follows; 0 when it has seen none. */
    public synchronized long term() {
        return followed == null ? 0 : followed.number();
    }

    /** Returns the text for people, for example {@code ps-1 follows term 2 of mnist-master-0.1}. */
    @Override
    public synchronized String toString() {
        return shard + (followed == null ? " follows no master" : " follows " + followed);
    }
}
