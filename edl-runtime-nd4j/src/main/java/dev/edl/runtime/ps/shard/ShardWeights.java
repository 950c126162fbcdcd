package dev.edl.runtime.ps.shard;

import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.ps.ports.ParameterSink;
import dev.edl.runtime.ps.rows.RowGradientSums;
import dev.edl.runtime.ps.rows.RowsSnapshot;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A shard's weights, optimizer slots and accumulator, and the loops over them; used under the shard's lock. Weights
 * after the trained ones are layer state: an update adds the (mean) change that workers push.
 *
 * <p>In separate arrays, its range begins at index 0. In the {@link SharedShardArrays} of a group, it begins at the
 * shard's offset.
 */
final class ShardWeights {
    /** 8 KiB of floats, so that the output of one loop is still in the L1 cache for the next. */
    private static final int BLOCK = 2048;

    private final int offset;
    private final int length;
    private final int trained;
    private final int slotCount;
    /** Whether a gradient has ever waited for a round; copies then have space for a sum of pending gradients. */
    private volatile boolean sums;

    private float[] weights;
    private float[][] slots;
    private float[] sum = new float[0];
    private int base;
    private boolean summing;
    private @Nullable SharedShardArrays shared;
    /** Copy of the shard's range of a gradient, from index 0; used only if the shard has separate arrays. */
    private float[] allocateSnapshotBuffer = new float[0];

    /** Creates weights and slots of zeros. */
    ShardWeights(ShardRange range, int trained, int slots) {
        this.offset = range.offset();
        this.length = range.length();
        this.trained = trained;
        this.weights = new float[length];
        this.slotCount = slots;
        this.slots = new float[slots][length];
    }

    /** Moves this shard's floats to its range of a group's arrays, and uses those arrays from now on. */
    void moveTo(SharedShardArrays group) {
        System.arraycopy(weights, base, group.weights(), offset, length);
        for (int i = 0; i < slots.length; i++) {
            System.arraycopy(slots[i], base, group.slots()[i], offset, length);
        }
        if (summing) {
            System.arraycopy(sum, base, group.sum(), offset, length);
            sum = group.sum();
        } else {
            sum = new float[0];
        }
        weights = group.weights();
        slots = group.slots();
        allocateSnapshotBuffer = new float[0];
        base = offset;
        shared = group;
    }

    /** Returns the number of optimizer slots. */
    int slots() {
        return slotCount;
    }

    float[] weightsCopy() {
        return Arrays.copyOfRange(weights, base, base + length);
    }

    /** Allocates memory for a copy of weights, slots and pending sum. Needs no lock; pushes may continue meanwhile. */
    ShardSnapshot.State allocateSnapshotBuffer() {
        return new ShardSnapshot.State(
                new float[length], new float[slotCount][length], new float[sums ? length : 0], 0, List.of(), List.of());
    }

    /** Copies weights, slots and the sum of pending gradients; the sum is empty if none are pending. */
    ShardSnapshot.State copyTo(
            ShardSnapshot.State room, long step, List<RowsSnapshot> rows, List<RowGradientSums> rowSums) {
        System.arraycopy(weights, base, room.weights, 0, length);
        for (int i = 0; i < slotCount; i++) {
            System.arraycopy(slots[i], base, room.slots[i], 0, length);
        }
        float[] waiting = {};
        if (summing) {
            waiting = room.sum.length == length ? room.sum : new float[length];
            System.arraycopy(sum, base, waiting, 0, length);
        }
        return new ShardSnapshot.State(room.weights, room.slots, waiting, step, rows, rowSums);
    }

    void initialize(float[] full) {
        System.arraycopy(full, offset, weights, base, length);
    }

    void copyTo(ParameterSink sink) {
        sink.load(weights, base, offset, length);
    }

    void restore(ShardSnapshot from) {
        System.arraycopy(from.state().weights, 0, weights, base, length);
        for (int i = 0; i < slots.length; i++) {
            System.arraycopy(from.state().slots[i], 0, slots[i], base, length);
        }
        summing = from.state().sum.length > 0;
        if (summing) {
            makeSum();
            System.arraycopy(from.state().sum, 0, sum, base, length);
        }
    }

    private void makeSum() {
        sums = true;
        if (sum.length == 0) {
            sum = shared == null ? new float[length] : shared.sum();
        }
    }

    void accumulate(float[] gradient) {
        float[] own = aligned(gradient);
        if (summing) {
            add(sum, own, base, base + length);
            return;
        }
        makeSum();
        System.arraycopy(own, base, sum, base, length);
        summing = true;
    }

    /** Applies one update from one worker's gradient. */
    void apply(Optimizer optimizer, float rate, float[] gradient, boolean thenWeights) {
        float[] own = aligned(gradient);
        int block = thenWeights ? BLOCK : length;
        for (int from = 0; from < length; from += block) {
            int to = Math.min(length, from + block);
            apply(optimizer, rate, own, from, to);
            if (thenWeights) {
                copyTo(gradient, from, to);
            }
        }
    }

    /** Applies one update from the mean of {@code count} gradients: the accumulated ones and the given one. */
    void applyMean(Optimizer optimizer, float rate, float[] gradient, int count, boolean thenWeights) {
        float[] own = aligned(gradient);
        for (int from = 0; from < length; from += BLOCK) {
            int to = Math.min(length, from + BLOCK);
            addAndScale(sum, own, 1f / count, base + from, base + to);
            apply(optimizer, rate, sum, from, to);
            if (thenWeights) {
                copyTo(gradient, from, to);
            }
        }
        summing = false;
    }

    /** Applies one update from the mean of the {@code count} accumulated gradients. */
    void applyMean(Optimizer optimizer, float rate, int count) {
        for (int from = 0; from < length; from += BLOCK) {
            int to = Math.min(length, from + BLOCK);
            if (count > 1) {
                scale(sum, 1f / count, base + from, base + to);
            }
            apply(optimizer, rate, sum, from, to);
        }
        summing = false;
    }

    private void apply(Optimizer optimizer, float rate, float[] by, int from, int to) {
        int state = Math.max(from, Math.min(to, trained));
        optimizer.apply(weights, slots, rate, by, 0, base + from, base + state);
        add(weights, by, base + state, base + to);
    }

    /** Overwrites a block of an applied gradient with the updated weights. */
    private void copyTo(float[] gradient, int from, int to) {
        System.arraycopy(weights, base + from, gradient, start(gradient) + from, to - from);
    }

    /**
     * Returns a vector that has the shard's part of a gradient at the indices of the weights.
     *
     * @param gradient gradient of the whole model's parameters, or of the shard's range alone
     */
    private float[] aligned(float[] gradient) {
        int from = start(gradient);
        if (base == from) {
            return gradient;
        }
        if (allocateSnapshotBuffer.length < base + length) {
            allocateSnapshotBuffer = new float[base + length];
        }
        System.arraycopy(gradient, from, allocateSnapshotBuffer, base, length);
        return allocateSnapshotBuffer;
    }

    private int start(float[] gradient) {
        return gradient.length < offset + length ? 0 : offset;
    }

    // Each of these loops uses one index for all its arrays, so that HotSpot can vectorize it.

    private static void add(float[] sum, float[] gradient, int from, int to) {
        for (int i = from; i < to; i++) {
            sum[i] += gradient[i];
        }
    }

    private static void addAndScale(float[] sum, float[] gradient, float factor, int from, int to) {
        for (int i = from; i < to; i++) {
            sum[i] = (sum[i] + gradient[i]) * factor;
        }
    }

    private static void scale(float[] sum, float factor, int from, int to) {
        for (int i = from; i < to; i++) {
            sum[i] *= factor;
        }
    }
}
