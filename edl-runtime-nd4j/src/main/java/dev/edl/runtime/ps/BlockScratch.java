package dev.edl.runtime.ps;

/**
 * Room in which blocks of a large shard that does not begin the vector are updated, all arrays at the same index, which
 * is what HotSpot 17 turns into vector instructions (see {@link SameIndex}). A block stays in the first-level cache, so
 * that copying it in and out costs less than the vectors gain. Belongs to one shard, under its lock.
 */
final class BlockScratch {
    /** 8 KiB of floats for each array. */
    private static final int BLOCK = 2048;

    private final float[] gradient = new float[BLOCK];
    private final float[] values = new float[BLOCK];
    private final float[][] slots;

    BlockScratch(int slots) {
        this.slots = new float[slots][BLOCK];
    }

    /** {@link Optimizer#apply} for {@code [from..to)}. */
    void apply(
            Optimizer optimizer,
            float[] weights,
            float[][] weightSlots,
            float rate,
            float[] g,
            int offset,
            int from,
            int to) {
        for (int at = from; at < to; at += BLOCK) {
            int count = Math.min(BLOCK, to - at);
            System.arraycopy(g, offset + at, gradient, 0, count);
            System.arraycopy(weights, at, values, 0, count);
            for (int s = 0; s < slots.length; s++) {
                System.arraycopy(weightSlots[s], at, slots[s], 0, count);
            }
            optimizer.apply(values, slots, rate, gradient, 0, 0, count);
            System.arraycopy(values, 0, weights, at, count);
            for (int s = 0; s < slots.length; s++) {
                System.arraycopy(slots[s], 0, weightSlots[s], at, count);
            }
        }
    }

    /** Adds {@code g[offset + i]} to {@code sum[i]} for each i of {@code [from..to)}. */
    void add(float[] sum, float[] g, int offset, int from, int to) {
        for (int at = from; at < to; at += BLOCK) {
            int count = Math.min(BLOCK, to - at);
            System.arraycopy(g, offset + at, gradient, 0, count);
            System.arraycopy(sum, at, values, 0, count);
            add(values, gradient, count);
            System.arraycopy(values, 0, sum, at, count);
        }
    }

    private static void add(float[] sum, float[] g, int count) {
        for (int i = 0; i < count; i++) {
            sum[i] += g[i];
        }
    }

    /** For example {@code room for 2048 floats and 2 slots}. */
    @Override
    public String toString() {
        return "room for " + BLOCK + " floats and " + slots.length + " slots";
    }
}
