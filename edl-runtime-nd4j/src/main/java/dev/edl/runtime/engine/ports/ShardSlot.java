package dev.edl.runtime.engine.ports;

import dev.edl.runtime.ps.shard.ParameterShard;

/** Slot through which workers and the master reach the shard of one parameter server. For the server's thread. */
public interface ShardSlot {
    /**
     * Installs a shard in the slot, where its life begins.
     *
     * @throws dev.edl.runtime.ps.ports.StaleTermException if the slot follows a later master than the one that sent
     *     the assignment
     * @throws IllegalStateException if the slot holds an earlier life of the shard
     */
    void install(ParameterShard shard, ShardAssignment assignment);

    /** Removes the shard. */
    void remove();
}
