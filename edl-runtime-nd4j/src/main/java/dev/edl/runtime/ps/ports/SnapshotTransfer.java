package dev.edl.runtime.ps.ports;

import dev.edl.runtime.ps.ShardSnapshot;

/** A copy of a shard's state, which may still be in transfer from the shard's server to the master. */
@FunctionalInterface
public interface SnapshotTransfer extends AutoCloseable {
    /**
     * Waits for the rest of the transfer, and returns the copy. Call it at most once. The transfer bounds its wait.
     *
     * @throws dev.edl.runtime.ps.ShardGoneException when the copy does not arrive completely
     */
    ShardSnapshot await() throws InterruptedException;

    /** Refuses the rest of the transfer. Has no effect once the copy has arrived. */
    @Override
    default void close() {}
}
