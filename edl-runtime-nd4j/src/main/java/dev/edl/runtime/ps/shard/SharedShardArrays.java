package dev.edl.runtime.ps.shard;

/**
 * Arrays for all shards of a group, each in its own range: weights, optimizer slots and sums of gradients. A float has
 * the same index in each array as in a gradient of the whole model, which HotSpot needs to vectorize the loops
 * ({@code AlignedGradient}). Only the shard that is attached to the group may use its range, under its own lock.
 */
public final class SharedShardArrays {
    private final float[] weights;
    private final float[][] slots;
    private float[] sum = new float[0];

    /** Allocates zeros for a model of this many floats. */
    SharedShardArrays(int size, int slots) {
        this.weights = new float[size];
        this.slots = new float[slots][size];
    }

    float[] weights() {
        return weights;
    }

    float[][] slots() {
        return slots;
    }

    /** Returns the array for sums of gradients, allocated on first use. */
    synchronized float[] sum() {
        if (sum.length < weights.length) {
            sum = new float[weights.length];
        }
        return sum;
    }

    /** Returns the text for people, for example {@code 101770 floats and 2 slots}. */
    @Override
    public String toString() {
        return weights.length + " floats and " + slots.length + " slots";
    }
}
