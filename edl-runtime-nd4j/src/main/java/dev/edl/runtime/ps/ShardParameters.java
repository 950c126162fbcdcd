package dev.edl.runtime.ps;

import dev.edl.runtime.EmbeddingRows;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.ps.internal.RowsSnapshot;
import dev.edl.runtime.ps.internal.ShardTables;
import dev.edl.runtime.ps.ports.ParameterSink;
import java.util.List;

/** What a shard keeps, its range of the vector and its rows, and the number of updates that made it. Under its lock. */
final class ShardParameters {
    private final ShardWeights weights;
    private final ShardTables tables;
    private long step;

    ShardParameters(ShardRange range, int shards, ShardContents contents, Optimizer optimizer) {
        int slots = optimizer.slots().size();
        this.weights = new ShardWeights(range, contents.trained(range), slots);
        this.tables = new ShardTables(range.index(), shards, contents.tables(), slots);
    }

    /** Zeros for all floats of a model that is kept as this is. */
    SharedFloats floatsFor(int size) {
        return new SharedFloats(size, weights.slots());
    }

    /** From now on keeps its floats there. */
    void moveTo(SharedFloats group) {
        weights.moveTo(group);
    }

    void initialize(float[] full) {
        weights.initialize(full);
    }

    void pull(ParameterSink sink, List<EmbeddingRows> rows) {
        weights.copyTo(sink);
        tables.pull(rows);
    }

    void accumulate(float[] gradient, List<EmbeddingRows> rows) {
        weights.accumulate(gradient);
        tables.accumulate(rows);
    }

    /** One update by one worker's gradient, read where it stands. */
    void apply(
            Optimizer optimizer, float learningRate, float[] gradient, List<EmbeddingRows> rows, boolean thenWeights) {
        float rate = optimizer.rate(learningRate, ++step);
        weights.apply(optimizer, rate, gradient, thenWeights);
        tables.apply(optimizer, rate, rows);
    }

    /** One update by the mean of what is accumulated and one gradient more, {@code count} in all. */
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

    /** One update by the mean of what is accumulated. */
    void applyMean(Optimizer optimizer, float learningRate, int count) {
        float rate = optimizer.rate(learningRate, ++step);
        weights.applyMean(optimizer, rate, count);
        tables.applyMean(optimizer, rate, count);
    }

    /** A copy of the weights. */
    float[] weights() {
        return weights.weightsCopy();
    }

    /** The rows as they are now. */
    List<RowsSnapshot> rows() {
        return tables.snapshot();
    }

    /** Makes room for a copy; needs no lock. */
    ShardSnapshot.State room() {
        return weights.room();
    }

    /** Copies everything into a room; rows are shared until they change. */
    ShardSnapshot.State copyTo(ShardSnapshot.State room) {
        return weights.copyTo(room, step, tables.snapshot(), tables.sums());
    }

    void restore(ShardSnapshot from) {
        weights.restore(from);
        tables.restore(from.rows(), from.rowSums());
        step = from.step();
    }
}
