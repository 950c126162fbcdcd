package dev.edl.runtime.wire.control;

import dev.edl.runtime.ps.ports.ShardPort;

/** Listener for shards that become reachable or unreachable. Calls about one index arrive in order. */
public interface ShardConnectionListener {
    /** Reports that a server has a life of a shard ready. The master is notified after this call. */
    void attached(int index, ShardPort shard);

    /** Reports that a server's connection has closed, so that all calls of its shard fail. */
    void detached(int index, ShardPort shard);
}
