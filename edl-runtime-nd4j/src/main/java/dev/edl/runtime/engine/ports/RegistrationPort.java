package dev.edl.runtime.engine.ports;

import dev.edl.runtime.ps.ShardLife;

/**
 * One parameter server's client of one master. Each call throws {@link MasterGoneException} once that master has left;
 * the server then finds the next master. No call waits for another server, so servers may return in any order.
 * Thread-safe.
 *
 * <pre>{@code
 * ShardAssignment order = master.register(index);
 * host.place(template.shard(index, order), order);
 * master.ready(index, order.life());
 * }</pre>
 */
public interface RegistrationPort {
    /**
     * Registers the server of a shard, so that the shard can begin a new life.
     *
     * @return the shard to serve and the state to restore; each call assigns a new life
     */
    ShardAssignment register(int shard);

    /**
     * Reports that a shard is in its slot. The master compares the shard's state with the completed tasks and requeues
     * work that the shard has lost.
     *
     * @param life the shard's life, from an assignment of this master or an earlier one
     */
    void ready(int shard, ShardLife life);
}
