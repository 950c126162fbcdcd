package dev.edl.runtime.wire.control;

import dev.edl.runtime.ps.ports.ShardPort;

/** Listener for shards that become reachable or unreachable. Calls about one index arrive in order. */
public interface ShardWatch {
    /** A server has reported a life of a shard. The master is notified that it is ready after this call. */
    void attached(int index, ShardPort shard);

    /** The connection of a server has closed, so that all calls of its shard fail. */
    void detached(int index, ShardPort shard);
}
