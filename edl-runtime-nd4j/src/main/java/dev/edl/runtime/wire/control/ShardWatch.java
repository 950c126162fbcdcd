package dev.edl.runtime.wire.control;

import dev.edl.runtime.ps.ports.ShardPort;

/** Hears which shards can be reached. Calls about one index come in order. */
public interface ShardWatch {
    /** A server has reported a life of a shard. The master is told that it is ready behind this call. */
    void attached(int index, ShardPort shard);

    /** The stream of a server has closed, so that all calls of its shard fail. */
    void detached(int index, ShardPort shard);
}
