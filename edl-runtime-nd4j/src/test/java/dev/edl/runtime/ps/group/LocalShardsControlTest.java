package dev.edl.runtime.ps.group;

import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.ps.WeightVersions;
import dev.edl.runtime.ps.ports.DecisionRecord;
import dev.edl.runtime.ps.ports.MasterShardGroup;
import dev.edl.runtime.ps.ports.ShardsControlContract;
import dev.edl.runtime.ps.ports.ShardsPort;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

class LocalShardsControlTest extends ShardsControlContract {
    @Override
    protected Hosts start(Consistency consistency, Duration patience) {
        TestShards group = TestShards.create(4, 2, Optimizer.sgd(1f), consistency, PER_EPOCH, patience);
        try {
            group.initialize(new float[4]);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return new InOneJvm(group, consistency, new ConcurrentHashMap<>());
    }

    private record InOneJvm(TestShards group, Consistency consistency, Map<String, ShardsPort> workers)
            implements Hosts {
        @Override
        public MasterShardGroup shards() {
            return group;
        }

        @Override
        public void push(String worker, long pushId) throws InterruptedException {
            ShardsPort port = workers.computeIfAbsent(worker, group::worker);
            WeightVersions base = new WeightVersions(2);
            port.pull(new float[4], List.of(), base);
            port.push(pushId, base, new float[] {1, 1, 1, 1}, List.of());
        }

        @Override
        public void lose(int shard) {
            group.detach(shard);
        }

        @Override
        public void bringBack(int index) {
            group.bringBack(index, consistency);
        }

        @Override
        public List<String> members(int shard) {
            return List.copyOf(group.shard(shard).orElseThrow().members());
        }

        @Override
        public Optional<DecisionRecord> kept(int shard) {
            return group.shard(shard).orElseThrow().decisions().newest();
        }

        @Override
        public void close() {
            group.close();
        }
    }
}
