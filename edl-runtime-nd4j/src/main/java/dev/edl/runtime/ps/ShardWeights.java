package dev.edl.runtime.ps;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A shard's weights, optimizer slots and accumulator, and the passes over them; under the shard's lock. Weights behind
 * the trained ones are state: an update adds the (mean) change that workers want.
 */
final class ShardWeights {
    /** 64 KiB of floats, so that what one pass wrote is still in the cache for the next. */
    private static final int BLOCK = 16 * 1024;

    private final int offset;
    private final int trained;
    private final float[] weights;
    private final float[][] slots;
    private float[] sum = new float[0];
    private boolean summing;
    private @Nullable BlockScratch scratch;

    /** Weights and slots of zeros. */
    ShardWeights(ShardRange range, int trained, int slots) {
        this.offset = range.offset();
        this.trained = trained;
        this.weights = new float[range.length()];
        this.slots = new float[slots][range.length()];
    }

    float[] weights() {
        return weights;
    }

    float[][] slotCopies() {
        return Arrays.stream(slots).map(float[]::clone).toArray(float[][]::new);
    }

    /** The sum of the gradients that wait for their round; empty when there are none. */
    float[] sum() {
        return summing ? sum : new float[0];
    }

    void initialize(float[] full) {
        System.arraycopy(full, offset, weights, 0, weights.length);
    }

    void copyTo(float[] full) {
        System.arraycopy(weights, 0, full, offset, weights.length);
    }

    void restore(ShardSnapshot from) {
        System.arraycopy(from.weights(), 0, weights, 0, weights.length);
        for (int i = 0; i < slots.length; i++) {
            System.arraycopy(from.slot(i), 0, slots[i], 0, weights.length);
        }
        summing = from.pendingSum().length > 0;
        if (summing) {
            sum = from.pendingSum().clone();
        }
    }

    void accumulate(float[] gradient) {
        if (summing) {
            add(sum, gradient, offset, 0, sum.length);
            return;
        }
        if (sum.length == 0) {
            sum = new float[weights.length];
        }
        System.arraycopy(gradient, offset, sum, 0, sum.length);
        summing = true;
    }

    /** One update by one worker's gradient, read where it stands. */
    void apply(Optimizer optimizer, float rate, float[] gradient) {
        if (SameIndex.serves(offset, trained)) {
            optimizer.apply(weights, slots, rate, gradient, offset, 0, trained);
        } else {
            scratch().apply(optimizer, weights, slots, rate, gradient, offset, 0, trained);
        }
        add(weights, gradient, offset, trained, weights.length);
    }

    /** One update by the mean of what is accumulated and one gradient more, {@code count} in all. */
    void applyMean(Optimizer optimizer, float rate, float[] gradient, int count) {
        for (int from = 0; from < weights.length; from += BLOCK) {
            int to = Math.min(weights.length, from + BLOCK);
            add(sum, gradient, offset, from, to);
            scale(sum, 1f / count, from, to);
            applySum(optimizer, rate, from, to);
        }
        summing = false;
    }

    /** One update by the mean of what is accumulated. */
    void applyMean(Optimizer optimizer, float rate, int count) {
        for (int from = 0; from < weights.length; from += BLOCK) {
            int to = Math.min(weights.length, from + BLOCK);
            if (count > 1) {
                scale(sum, 1f / count, from, to);
            }
            applySum(optimizer, rate, from, to);
        }
        summing = false;
    }

    private void applySum(Optimizer optimizer, float rate, int from, int to) {
        optimizer.apply(weights, slots, rate, sum, 0, from, Math.max(from, Math.min(to, trained)));
        add(weights, sum, 0, Math.max(from, Math.min(to, trained)), to);
    }

    private void add(float[] to, float[] gradient, int gradientOffset, int from, int end) {
        if (SameIndex.serves(gradientOffset, end)) {
            add(to, SameIndex.of(gradient, gradientOffset, from, end), from, end);
        } else {
            scratch().add(to, gradient, gradientOffset, from, end);
        }
    }

    private BlockScratch scratch() {
        BlockScratch room = scratch;
        if (room == null) {
            room = new BlockScratch(slots.length);
            scratch = room;
        }
        return room;
    }

    private static void add(float[] sum, float[] gradient, int from, int to) {
        for (int i = from; i < to; i++) {
            sum[i] += gradient[i];
        }
    }

    private static void scale(float[] sum, float factor, int from, int to) {
        for (int i = from; i < to; i++) {
            sum[i] *= factor;
        }
    }
}
