package dev.edl.runtime.ps;

/**
 * The floats of all shards of a group, each in its own range: weights, optimizer slots and sums of gradients are then at
 * the index that they have in a gradient, which is what {@code SameIndex} says HotSpot needs. Only the shard that has
 * its seat in the group may touch its range, under its own lock.
 */
public final class SharedFloats {
    private final float[] weights;
    private final float[][] slots;
    private float[] sum = new float[0];

    /** Zeros for a model of so many floats. */
    SharedFloats(int size, int slots) {
        this.weights = new float[size];
        this.slots = new float[slots][size];
    }

    float[] weights() {
        return weights;
    }

    float[][] slots() {
        return slots;
    }

    /** Room for sums of gradients, made when it is first needed. */
    synchronized float[] sum() {
        if (sum.length < weights.length) {
            sum = new float[weights.length];
        }
        return sum;
    }

    /** For example {@code 101770 floats and 2 slots}. */
    @Override
    public String toString() {
        return weights.length + " floats and " + slots.length + " slots";
    }
}
