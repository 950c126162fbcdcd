package dev.edl.runtime.engine.ports;

import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ports.Term;
import org.jspecify.annotations.Nullable;

/**
 * A master's response to a parameter server that registers.
 *
 * @param term term of the master, which the shard follows from the start of its life
 * @param life the shard's new life; unique among all lives of the shard with this index
 * @param minibatchesPerEpoch number of minibatches per epoch, by which a push id denotes an epoch and a minibatch; the
 *     server itself reads no data
 * @param saved the state to restore; null for the initial values
 */
public record ShardAssignment(
        Term term,
        ShardLife life,
        int minibatchesPerEpoch,
        @Nullable SavedShard saved) {
    /** Returns text for people, for example {@code life 2 of term 1, from version 500}. */
    @Override
    public String toString() {
        return life + ", from " + (saved == null ? "the initial values" : saved);
    }
}
