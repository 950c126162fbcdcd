package dev.edl.runtime.wire.control;

import dev.edl.runtime.ps.host.HostedShard;
import dev.edl.runtime.ps.ports.ShardPort;

/** The contract of a master's end, at the shard itself: so it asks nothing that only the connection gives. */
class HostedShardContractTest extends ShardPortContract {
    @Override
    ShardPort port(HostedShard shard) {
        return shard;
    }

    @Override
    void close() {}
}
