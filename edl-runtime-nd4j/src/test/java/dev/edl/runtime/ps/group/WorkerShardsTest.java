package dev.edl.runtime.ps.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.optimizers.UpdateRule;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.ps.ShardTimeoutException;
import dev.edl.runtime.ps.WeightVersions;
import dev.edl.runtime.ps.ports.ShardsPort;
import dev.edl.runtime.ps.shard.ParameterShard;
import dev.edl.runtime.ps.shard.ShardObserver;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WorkerShardsTest {
    private final ShardContents contents = ShardContents.floats(4);
    private final UpdateRule rule = UpdateRule.of(Optimizer.sgd(1f), Consistency.asynchronous());
    private final TestShards group = new TestShards(List.of(shard(0), shard(1)), Duration.ofMillis(1));

    private ParameterShard shard(int index) {
        ParameterShard shard = new ParameterShard(contents.split(2).get(index), 2, contents, rule, 8);
        shard.initialize(new float[4]);
        return shard;
    }

    /** Loses ps-1 when ps-0 has taken its first push; called inside ps-0 without using it. */
    private final class LosesTheOther implements GroupObserver, ShardObserver {
        private boolean lost;

        @Override
        public ShardObserver shard(ShardRange range) {
            return this;
        }

        @Override
        public void accepted(
                String worker,
                long pushId,
                long basedOnVersion,
                long version,
                float[] gradient,
                List<EmbeddingRows> rows) {
            if (!lost) {
                lost = true;
                group.detach(1);
            }
        }

        @Override
        public void pulled(String worker, long[] versions, float[] weights) {}

        @Override
        public void pushing(
                String worker, long pushId, long[] basedOnVersions, float[] gradient, List<EmbeddingRows> rows) {}

        @Override
        public void pushed(String worker, long pushId, List<PushResult> results, PushResult told) {}

        @Override
        public void awaited(String worker, long pushId, boolean applied) {}

        @Override
        public void confirmed(long firstPushId, long resumeAt) {}

        @Override
        public void started(ShardSnapshot state) {}

        @Override
        public void refused(String worker, long pushId, long basedOnVersion, PushResult result) {}

        @Override
        public void updated(long version, List<Long> pushes, float learningRate, float[] weights) {}

        @Override
        public void saved(ShardSnapshot state) {}

        @Override
        public void stopped() {}
    }

    /** Returns the number of the worker's last push at each shard. */
    private List<Map<String, Long>> taken() {
        return IntStream.range(0, 2)
                .mapToObj(i -> group.shard(i).orElseThrow().cuts().taken())
                .toList();
    }

    @Test
    void aborted_push_keeps_its_sequence_number_when_retried() throws Exception {
        group.observe(new LosesTheOther());
        ShardsPort worker = group.worker("worker-0");
        WeightVersions base = new WeightVersions(2);
        worker.pull(new float[4], List.of(), base);
        float[] gradient = {1, 1, 1, 1};

        // A cut admits by number what ps-0 has taken already, so ps-1 must get it under the same number.
        assertThatThrownBy(() -> worker.push(0, base, gradient, List.of()))
                .isInstanceOf(ShardTimeoutException.class)
                .hasMessage("parameter shard ps-1 did not come back within 1ms");
        group.attach(1, shard(1));
        worker.push(0, base, gradient, List.of());
        assertThat(taken()).containsOnly(Map.of("worker-0", 1L));
        worker.push(1, base, gradient, List.of());
        assertThat(taken()).containsOnly(Map.of("worker-0", 2L));
    }

    @Test
    void a_worker_sees_what_each_shard_answered() throws Exception {
        ShardsPort worker = group.worker("worker-0");
        WeightVersions base = new WeightVersions(2);
        worker.pull(new float[4], List.of(), base);
        assertThat(worker.answers()).isEmpty();
        group.detach(1);
        group.attach(1, shard(1));

        worker.push(0, base, new float[4], List.of());
        assertThat(worker.answers())
                .containsExactly(
                        new PushResult(PushResult.Outcome.APPLIED, 1), new PushResult(PushResult.Outcome.STALE, 0));
    }
}
