package dev.edl.runtime.engine.ports;

import dev.edl.runtime.ps.ShardLife;

/**
 * One parameter server's end of one master. Each call throws {@link MasterGoneException} once that master has left; the server then
 * finds the next one. No call waits for another server, so servers return in any order. Safe for several threads.
 *
 * <pre>{@code
 * ShardAssignment order = master.register(index);
 * host.place(template.shard(index, order), order);
 * master.ready(index, order.life());
 * }</pre>
 */
public interface RegistrationPort {
    /**
     * Registers the server of a shard, which begins another life.
     *
     * @return what the server is to keep, and from which state on; each call gives another life
     */
    ShardAssignment register(int shard);

    /**
     * Reports that a shard is in its place. The master compares it with what it takes for done, and hands out again what was
     * lost.
     *
     * @param life that an order gave, also one of an earlier master
     */
    void ready(int shard, ShardLife life);
}
