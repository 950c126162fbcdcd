package dev.edl.runtime.engine.ports;

import dev.edl.runtime.ps.ParameterShard;

/** The place at which workers and the master reach the shard of one parameter server. For the server's thread. */
public interface ShardHost {
    /**
     * Puts a shard into its place, where its life begins.
     *
     * @throws dev.edl.runtime.ps.ports.StaleTermException when the place follows a later master than the one that gave the order
     * @throws IllegalStateException when an earlier life of the shard is in its place
     */
    void place(ParameterShard shard, ShardAssignment assignment);

    /** Takes the shard away. */
    void withdraw();
}
