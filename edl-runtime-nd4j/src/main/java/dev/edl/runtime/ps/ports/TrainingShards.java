package dev.edl.runtime.ps.ports;

import dev.edl.runtime.ps.ShardCut;
import java.util.Optional;
import java.util.OptionalLong;

/** All parameter shards of one training, as the process of its master reaches them. Safe for several threads. */
public interface TrainingShards extends AutoCloseable {
    /** Returns the number of shards. */
    int count();

    /** Returns the number of a shard that is absent; -1 when none is. */
    int missing();

    /** Returns the largest version of the shards; empty while one is absent. */
    OptionalLong newestVersion();

    /**
     * Returns the shards as a new master uses them. The shards refuse the orders of every earlier master from now on. They have no
     * members: a worker joins again with its next minibatch.
     *
     * @throws StaleTermException when the shards follow a later term, or another master of this one
     */
    ShardsControl lead(Term term);

    /**
     * Copies all shards at one moment, for a caller outside of the replicas.
     *
     * @throws dev.edl.runtime.ps.ShardTimeoutException when one is absent for longer than a call waits
     */
    ShardCut cut() throws InterruptedException;

    /**
     * Returns the newest record of decisions. A decision counts only when every shard has it, so each shard that has any is
     * enough; while the shards that are present have none, absent ones are waited for.
     */
    Optional<DecisionRecord> decided() throws InterruptedException;

    /** Ends every wait for an absent shard, present and later ones, with an exception. */
    @Override
    void close();
}
