package dev.edl.runtime.ps.shard;

import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.model.EmbeddingValues;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.ps.ports.ParameterSink;
import dev.edl.runtime.ps.rows.RowsSnapshot;
import dev.edl.runtime.ps.rows.ShardTables;
import java.util.List;

/** A shard's range of the vector, its rows, and its number of updates. Used under its lock. */
final class ShardParameters {
    private final ShardWeights weights;
    private final ShardTables tables;
    private long step;

    ShardParameters(ShardRange range, int shards, ShardContents contents, Optimizer optimizer) {
        int slots = optimizer.slots().size();
        this.weights = new ShardWeights(range, contents.trained(range), slots);
        this.tables = new ShardTables(range.index(), shards, contents.tables(), slots);
    }

    /** Allocates zeros for all floats of a model with the same optimizer slots. */
    SharedShardArrays floatsFor(int size) {
        return new SharedShardArrays(size, weights.slots());
    }

    /** Moves this shard's floats into the group's arrays. */
    void moveTo(SharedShardArrays group) {
        weights.moveTo(group);
    }

    void initialize(float[] full, List<? extends EmbeddingValues> rows) {
        weights.initialize(full);
        tables.initialize(rows);
    }

    void pull(ParameterSink sink, List<EmbeddingRows> rows) {
        weights.copyTo(sink);
        tables.pull(rows);
    }

    void accumulate(float[] gradient, List<EmbeddingRows> rows) {
        weights.accumulate(gradient);
        tables.accumulate(rows);
    }

    /** Applies one update from one worker's gradient, without copying it. */
    void apply(
            Optimizer optimizer, float learningRate, float[] gradient, List<EmbeddingRows> rows, boolean thenWeights) {
        float rate = optimizer.rate(learningRate, ++step);
        weights.apply(optimizer, rate, gradient, thenWeights);
        tables.apply(optimizer, rate, rows);
    }

    /** Applies one update from the mean of {@code count} gradients: the accumulated ones and the given one. */
    void applyMean(
            Optimizer optimizer,
            float learningRate,
            float[] gradient,
            List<EmbeddingRows> rows,
            int count,
            boolean thenWeights) {
        float rate = optimizer.rate(learningRate, ++step);
        weights.applyMean(optimizer, rate, gradient, count, thenWeights);
        tables.accumulate(rows);
        tables.applyMean(optimizer, rate, count);
    }

    /** Applies one update from the mean of the {@code count} accumulated gradients. */
    void applyMean(Optimizer optimizer, float learningRate, int count) {
        float rate = optimizer.rate(learningRate, ++step);
        weights.applyMean(optimizer, rate, count);
        tables.applyMean(optimizer, rate, count);
    }

    /** Returns a copy of the weights. */
    float[] weights() {
        return weights.weightsCopy();
    }

    /** Returns a snapshot of the rows. */
    List<RowsSnapshot> rows() {
        return tables.snapshot();
    }

    /** Allocates memory for a copy of these parameters; needs no lock. */
    ShardSnapshot.State allocateSnapshotBuffer() {
        return weights.allocateSnapshotBuffer();
    }

    /** Copies the parameters into memory that {@link #allocateSnapshotBuffer} allocated; rows are shared until they change. */
    ShardSnapshot.State copyTo(ShardSnapshot.State room) {
        return weights.copyTo(room, step, tables.snapshot(), tables.sums());
    }

    void restore(ShardSnapshot from) {
        weights.restore(from);
        tables.restore(from.state().rows, from.state().rowSums);
        step = from.state().step;
    }
}
