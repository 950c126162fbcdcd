package dev.edl.runtime.engine.ports;

import dev.edl.runtime.ps.ShardLife;

/**
 * One parameter server's client of one master. Each call throws {@link MasterGoneException} once that master has left;
 * the server then finds the next one. No call waits for another server, so servers may return in any order.
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
     * Registers the server of a shard, which begins a new life.
     *
     * @return the shard to serve and the state to restore; each call assigns a new life
     */
    ShardAssignment register(int shard);

    /**
     * Reports that a shard is in its slot. The master compares its state with the completed tasks and hands out lost
     * work again.
     *
     * @param life a life that an assignment gave, also one of an earlier master
     */
    void ready(int shard, ShardLife life);
}
