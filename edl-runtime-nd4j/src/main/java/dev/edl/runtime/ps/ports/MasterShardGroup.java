package dev.edl.runtime.ps.ports;

import dev.edl.runtime.ps.ShardCut;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** All parameter shards of one training, as seen by the master's process. Safe for several threads. */
public interface MasterShardGroup extends AutoCloseable {
    /** Returns the number of shards. */
    int count();

    /** Returns the index of an absent shard; -1 if none is absent. */
    int missing();

    /**
     * Returns the indexes of shards that are absent, or have not answered a request of an earlier call of this method.
     * Sends a request to each other shard, and does not wait for the response. For one caller.
     */
    Set<Integer> unresponsive();

    /** Returns the largest version of the shards; empty while a shard is absent. */
    OptionalLong newestVersion();

    /**
     * Returns a new master's control of the shards. From now on the shards refuse the requests of every earlier master.
     * The shards' rounds have no members: a worker joins again with its next minibatch.
     *
     * @throws StaleTermException when the shards follow a later term, or another master with the same term
     */
    ShardsControl lead(Term term);

    /**
     * Takes a consistent snapshot of all shards for a caller that is not a replica.
     *
     * @throws dev.edl.runtime.ps.ShardTimeoutException when a shard is absent for longer than the configured bound
     */
    ShardCut cut() throws InterruptedException;

    /**
     * Returns the newest decision record. A decision counts only when every shard has it, so any shard with a record
     * suffices. While the present shards have none, the call waits for absent ones.
     */
    Optional<DecisionRecord> decided() throws InterruptedException;

    /** Ends every present and later wait for an absent shard with an exception. */
    @Override
    void close();
}
