package dev.edl.bench.runtime;

import dev.edl.bench.runtime.shards.ShardGroups;
import dev.edl.bench.runtime.shards.ShardUpdateBenchmark;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.group.LocalShards;
import dev.edl.runtime.ps.shard.ParameterShard;
import java.util.ArrayList;
import java.util.List;

/** Step that one thread (a lane) repeats in {@link JvmSharingCost}: a worker's step or a push to a shard. */
interface RepeatedStep extends AutoCloseable {
    /** Number of lanes in each of the two cases compared: both in one JVM, or one in each of two. */
    int ALL = 2;

    /** Makes one step. */
    void step();

    @Override
    void close();

    /**
     * Opens the steps of lanes in this JVM.
     *
     * @param work {@code step MODEL BATCH} or {@code shard OPTIMIZER FLOATS}
     * @param indices indexes of the lanes, below {@link #ALL}
     */
    static List<RepeatedStep> open(String work, List<Integer> indices) throws InterruptedException {
        String[] words = work.split(" ");
        if (words.length == 3 && words[0].equals("step")) {
            BenchmarkModel model = BenchmarkModel.named(words[1]);
            List<RepeatedStep> steps = new ArrayList<>();
            for (int i = 0; i < indices.size(); i++) {
                steps.add(step(new StandaloneWorker(model, Integer.parseInt(words[2]))));
            }
            return steps;
        }
        if (words.length == 3 && words[0].equals("shard")) {
            return shards(Optimizer.parse(words[1]), Integer.parseInt(words[2]), indices);
        }
        throw new IllegalArgumentException(
                "work must be \"step MODEL BATCH\" or \"shard OPTIMIZER FLOATS\", was \"" + work + "\"");
    }

    private static RepeatedStep step(StandaloneWorker worker) {
        return new RepeatedStep() {
            @Override
            public void step() {
                worker.step();
            }

            @Override
            public void close() {
                worker.close();
            }
        };
    }

    /**
     * Returns pushes to the shards with these indexes. Every JVM creates the whole group of shards, so that the memory
     * of a shard has the same place whichever lanes the JVM has.
     */
    private static List<RepeatedStep> shards(Optimizer optimizer, int floats, List<Integer> indices)
            throws InterruptedException {
        LocalShards group =
                ShardGroups.of(ShardContents.floats(floats), ALL, optimizer, ShardUpdateBenchmark.uniform(floats, 1));
        List<RepeatedStep> steps = new ArrayList<>();
        for (int index : indices) {
            steps.add(push(group.shard(index).orElseThrow(), ShardUpdateBenchmark.uniform(floats, 0.01f)));
        }
        return steps;
    }

    private static RepeatedStep push(ParameterShard shard, float[] gradient) {
        return new RepeatedStep() {
            private long push;
            private long version;

            @Override
            public void step() {
                PushResult result = shard.push("worker-0", push++, version, gradient);
                version = result.version();
            }

            @Override
            public void close() {
                // A shard holds only memory.
            }
        };
    }
}
