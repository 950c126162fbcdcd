package dev.edl.runtime.ps.group;

import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.ps.ports.DecisionRecord;
import dev.edl.runtime.ps.ports.MasterShardGroup;
import dev.edl.runtime.ps.ports.ShardsControlContract;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

class RemoteShardsControlTest extends ShardsControlContract {
    @Override
    protected Hosts start(Consistency consistency, Duration patience) {
        ServerHosts hosts = hosts(new ShardGroup("unit", 2, patience), consistency);
        hosts.start();
        return new Apart(hosts);
    }

    /** Returns the servers, all of other processes. */
    ServerHosts hosts(ShardGroup group, Consistency consistency) {
        return new ServerHosts(group, consistency, PER_EPOCH);
    }

    private record Apart(ServerHosts hosts) implements Hosts {
        @Override
        public MasterShardGroup shards() {
            return hosts.shards;
        }

        @Override
        public void push(String worker, long pushId) throws InterruptedException {
            hosts.push(worker, pushId);
        }

        @Override
        public void lose(int shard) {
            hosts.lose(shard);
        }

        @Override
        public void bringBack(int shard) {
            hosts.bringBack(shard);
        }

        @Override
        public List<String> members(int shard) {
            return hosts.members(shard);
        }

        @Override
        public Optional<DecisionRecord> kept(int shard) {
            return hosts.kept(shard);
        }

        @Override
        public void close() {
            hosts.shards.close();
        }
    }
}
