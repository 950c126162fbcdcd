package dev.edl.runtime.ps.group;

import dev.edl.runtime.optimizers.Consistency;

/** One shard in the master's JVM, and one of another process. */
class MixedShardsControlTest extends RemoteShardsControlTest {
    @Override
    ServerHosts hosts(ShardGroup group, Consistency consistency) {
        return new ServerHosts(group, consistency, PER_EPOCH, index -> index == 0);
    }
}
