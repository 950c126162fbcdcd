package dev.edl.runtime.ps.rows;

import java.util.Arrays;

/**
 * Sums of the gradients that a round has collected for the rows of one table, by the rows' ids. Used under the shard's
 * lock.
 */
public final class RowGradientSums {
    private final int dimension;
    private long[] ids = new long[16];
    private float[] sums;
    /** An open-addressing hash table of positions, plus 1; 0 is free. */
    private int[] buckets = new int[64];

    private int count;

    public RowGradientSums(int dimension) {
        this.dimension = dimension;
        this.sums = new float[ids.length * dimension];
    }

    int count() {
        return count;
    }

    /** Returns the ids of the rows. This is the array itself; its first {@link #count()} elements are in use. */
    long[] ids() {
        return ids;
    }

    /** Returns the sums, row-major, in the order of {@link #ids()}. This is the array itself. */
    float[] sums() {
        return sums;
    }

    /** Returns a hash of the sums' bits that does not depend on their order. */
    public long fingerprint() {
        long print = count;
        for (int i = 0; i < count; i++) {
            print += Fingerprint.and(ids[i], Fingerprint.of(sums, i * dimension, (i + 1) * dimension));
        }
        return print;
    }

    /** Adds the gradient that begins at index {@code from} to the sum of an id. */
    void add(long id, float[] gradient, int from) {
        int to = place(id) * dimension;
        for (int i = 0; i < dimension; i++) {
            sums[to + i] += gradient[from + i];
        }
    }

    private int place(long id) {
        int mask = buckets.length - 1;
        int at = RowIndex.hash(id) & mask;
        while (buckets[at] != 0) {
            int place = buckets[at] - 1;
            if (ids[place] == id) {
                return place;
            }
            at = (at + 1) & mask;
        }
        if (count == ids.length) {
            grow();
            return place(id);
        }
        ids[count] = id;
        buckets[at] = count + 1;
        return count++;
    }

    private void grow() {
        int more = Math.multiplyExact(ids.length, 2);
        sums = Arrays.copyOf(sums, Math.multiplyExact(more, dimension));
        ids = Arrays.copyOf(ids, more);
        buckets = new int[more * 4];
        int mask = buckets.length - 1;
        for (int place = 0; place < count; place++) {
            int at = RowIndex.hash(ids[place]) & mask;
            while (buckets[at] != 0) {
                at = (at + 1) & mask;
            }
            buckets[at] = place + 1;
        }
    }

    void scale(float factor) {
        for (int i = 0; i < count * dimension; i++) {
            sums[i] *= factor;
        }
    }

    void clear() {
        Arrays.fill(sums, 0, count * dimension, 0f);
        Arrays.fill(buckets, 0);
        count = 0;
    }

    /** Adds the other object's sums of rows that belong to the given one of {@code shards} shards. */
    public void addAll(RowGradientSums other, int shard, int shards) {
        for (int i = 0; i < other.count; i++) {
            if (Math.floorMod(other.ids[i], shards) == shard) {
                add(other.ids[i], other.sums, i * dimension);
            }
        }
    }

    RowGradientSums copy() {
        RowGradientSums copy = new RowGradientSums(dimension);
        copy.addAll(this, 0, 1);
        return copy;
    }
}
