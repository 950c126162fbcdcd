package dev.edl.runtime.ps.ports;

import dev.edl.runtime.ps.ShardSnapshot;

/** Copy of a shard's state on its way to the master; complete at once for a shard in the same JVM. */
@FunctionalInterface
public interface SnapshotTransfer extends AutoCloseable {
    /**
     * Waits until the copy is complete, and returns it. Call it at most once.
     *
     * <p>The wait ends at the latest after the timeout of a request to the server, so the caller needs no bound of its own.
     *
     * @throws dev.edl.runtime.ps.ShardGoneException when the copy does not arrive completely
     */
    ShardSnapshot await() throws InterruptedException;

    /** Refuses the rest of the transfer. Has no effect once the copy has arrived. */
    @Override
    default void close() {}
}
