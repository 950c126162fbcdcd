package dev.edl.runtime.ps.group;

import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.ps.ports.ShardsContract;
import dev.edl.runtime.ps.ports.ShardsControl;
import dev.edl.runtime.ps.ports.ShardsPort;
import dev.edl.runtime.ps.ports.Term;
import java.time.Duration;

class LocalShardsContractTest extends ShardsContract {
    private static final int PER_EPOCH = 8;

    @Override
    protected Shards start(Consistency consistency) {
        TestShards group = TestShards.create(4, 2, Optimizer.sgd(1f), consistency, PER_EPOCH, Duration.ofMillis(1));
        try {
            group.initialize(new float[4]);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return new InOneJvm(group, consistency);
    }

    private record InOneJvm(TestShards group, Consistency consistency) implements Shards {
        @Override
        public ShardsPort worker(String name) {
            return group.worker(name);
        }

        @Override
        public ShardsControl lead(Term term) {
            return group.lead(term);
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
        public void close() {
            group.close();
        }
    }
}
