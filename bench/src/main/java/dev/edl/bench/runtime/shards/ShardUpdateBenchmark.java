package dev.edl.bench.runtime.shards;

import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.group.LocalShards;
import dev.edl.runtime.ps.shard.ParameterShard;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * JMH benchmark of a parameter shard's work on a gradient. With several threads, each thread has a shard of its own
 * with an equal part of the floats.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // JMH sets the fields of a state before it calls any other method.
public class ShardUpdateBenchmark {
    private static final int MINIBATCHES = 1 << 20;

    /** Group of shards, one for each thread, as in a training. */
    @State(Scope.Benchmark)
    public static class Group {
        @Param("sgd:learning_rate=0.01")
        String optimizer;

        @Param("10000000")
        int floats;

        private LocalShards shards;

        /** Creates the shards, with weights uniform in [-1, 1) from seed 1. */
        @Setup
        public void setUp(BenchmarkParams threads) {
            shards = ShardGroups.of(
                    ShardContents.floats(floats), threads.getThreads(), Optimizer.parse(optimizer), uniform(floats, 1));
        }
    }

    /** Shard of one thread, with the gradient that the thread pushes. */
    @State(Scope.Thread)
    public static class Shard {
        private float[] gradient;
        private ParameterShard shard;
        private long push;
        private long version;

        /** Takes the thread's shard, and a gradient uniform in [-0.01, 0.01) from seed 1. */
        @Setup
        public void setUp(Group group, ThreadParams threads) {
            shard = group.shards.shard(threads.getThreadIndex()).orElseThrow();
            gradient = uniform(group.floats, 0.01f);
        }
    }

    /**
     * Shard that holds one of the two gradients of its current round, so that ending the round only applies the update.
     */
    @State(Scope.Thread)
    public static class Filled {
        /** Number of floats, 64 MiB, that are written to fill the caches: twice a large third-level cache. */
        private static final int CACHES = 16 << 20;

        @Param("sgd:learning_rate=0.01")
        String optimizer;

        @Param("10000000")
        int floats;

        private float[] gradient;
        private ParameterShard shard;
        private long push;
        private final float[] caches = new float[CACHES];

        /**
         * Creates the shard, with weights and gradient as in {@link Group} and {@link Shard}, and lets two workers
         * join.
         */
        @Setup
        public void setUp() {
            ShardRange range = new ShardRange(0, 0, floats);
            shard = new ParameterShard(range, Optimizer.parse(optimizer), Consistency.synchronous(), MINIBATCHES);
            gradient = uniform(floats, 0.01f);
            shard.initialize(uniform(floats, 1));
            shard.join("worker-0");
            shard.join("worker-1");
        }

        /** Pushes one of the round's two gradients, and fills the caches with other data. */
        @Setup(Level.Invocation)
        public void fill() {
            shard.push("worker-0", push, push, gradient);
            push++;
            for (int i = 0; i < caches.length; i++) {
                caches[i]++;
            }
        }
    }

    /** Returns values that are uniform in [-bound, bound), from seed 1. */
    public static float[] uniform(int count, float bound) {
        SplittableRandom random = new SplittableRandom(1);
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = (float) (random.nextDouble() * 2 - 1) * bound;
        }
        return values;
    }

    /** Ends the round: applies the mean of the gradients that it has, here one. */
    @Benchmark
    public boolean update(Filled f) {
        return f.shard.flush();
    }

    /**
     * Makes one asynchronous push, as of a worker: the check for NaN, the entry in the ledger of pushes, and the
     * update.
     */
    @Benchmark
    public PushResult push(Shard s) {
        PushResult result = s.shard.push("worker-0", s.push++, s.version, s.gradient);
        s.version = result.version();
        return result;
    }
}
