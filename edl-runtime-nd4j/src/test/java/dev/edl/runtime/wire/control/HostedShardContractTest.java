package dev.edl.runtime.wire.control;

import dev.edl.runtime.ps.host.HostedShard;
import dev.edl.runtime.ps.ports.ShardPort;

/** Runs the contract on the shard itself, so it requires nothing that only the connection provides. */
class HostedShardContractTest extends ShardPortContract {
    @Override
    ShardPort port(HostedShard shard) {
        return shard;
    }

    @Override
    void close() {}
}
