package dev.edl.runtime.ps;

import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.ps.group.TestShards;
import dev.edl.runtime.ps.ports.ParameterSink;
import dev.edl.runtime.ps.ports.ShardsPort;
import dev.edl.runtime.ps.shard.ParameterShard;
import java.time.Duration;
import java.util.List;

/**
 * A bug between workers and shards: each worker's port is replaced by one that loses, repeats or changes calls. A bug
 * of one of several shards calls that shard directly. For one thread.
 */
class PlantedBug {
    /** Returns the port of one worker, with the bug in it. */
    ShardsPort in(TestShards group, String worker, ShardsPort port) {
        return new Port(group, worker, port);
    }

    /** Pushes; may push something other than the worker's gradient. */
    PushResult push(Port port, long pushId, WeightVersions base, float[] gradient) throws InterruptedException {
        return port.direct(pushId, base, gradient);
    }

    /** Pulls; may return other versions and weights. */
    void pull(Port port, float[] into, WeightVersions base) throws InterruptedException {
        port.direct(into, base);
    }

    /** Queries held pushes; may return another result. */
    long resumeAt(Port port, long first, int count) throws InterruptedException {
        return port.directResumeAt(first, count);
    }

    /** Returns a shard's result as the worker receives it. */
    PushResult answer(PushResult result) {
        return result;
    }

    static PushResult result(List<PushResult> answers) {
        PushResult.Outcome outcome = PushResult.Outcome.DUPLICATE;
        long version = 0;
        for (PushResult answer : answers) {
            outcome = outcome.and(answer.outcome());
            version = Math.max(version, answer.version());
        }
        return new PushResult(outcome, version);
    }

    static WeightVersions with(WeightVersions base, int shard, ShardLife life, long version) {
        WeightVersions changed = new WeightVersions(base.shards());
        for (int i = 0; i < base.shards(); i++) {
            changed.set(i, base.life(i), base.version(i));
        }
        changed.set(shard, life, version);
        return changed;
    }

    /** One worker's port. */
    final class Port implements ShardsPort {
        final TestShards group;
        final String worker;
        private final ShardsPort port;
        private List<PushResult> answers = List.of();

        private Port(TestShards group, String worker, ShardsPort port) {
            this.group = group;
            this.worker = worker;
            this.port = port;
        }

        ParameterShard shard(int index) {
            return group.shard(index).orElseThrow();
        }

        PushResult direct(long pushId, WeightVersions base, float[] gradient) throws InterruptedException {
            port.push(pushId, base, gradient, List.of());
            return told(port.answers().stream().map(PlantedBug.this::answer).toList());
        }

        void direct(float[] into, WeightVersions base) throws InterruptedException {
            port.pull(into, List.of(), base);
        }

        long directResumeAt(long first, int count) throws InterruptedException {
            return port.resumeAt(first, count);
        }

        /** Returns the combined result that the worker receives. */
        PushResult told(List<PushResult> all) {
            answers = all;
            return result(all);
        }

        @Override
        public PushResult push(long pushId, WeightVersions base, float[] gradient, List<EmbeddingRows> rows)
                throws InterruptedException {
            return PlantedBug.this.push(this, pushId, base, gradient);
        }

        @Override
        public List<PushResult> answers() {
            return answers;
        }

        @Override
        public void pull(float[] into, List<EmbeddingRows> rows, WeightVersions base) throws InterruptedException {
            PlantedBug.this.pull(this, into, base);
        }

        @Override
        public void pull(ParameterSink into, List<EmbeddingRows> rows, WeightVersions base)
                throws InterruptedException {
            port.pull(into, rows, base);
        }

        @Override
        public long resumeAt(long first, int count) throws InterruptedException {
            return PlantedBug.this.resumeAt(this, first, count);
        }

        @Override
        public boolean awaitRound(long pushId, Duration bound) throws InterruptedException {
            return port.awaitRound(pushId, bound);
        }

        @Override
        public int count() {
            return port.count();
        }

        @Override
        public int missing() {
            return port.missing();
        }
    }
}
