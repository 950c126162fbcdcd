package dev.edl.runtime.ps;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits the flat parameter vector into contiguous shards of equal size, regardless of tensor boundaries.
 *
 * <p>If every shard gets at least 256 floats, ranges begin at multiples of 16 floats (one cache line), so that two
 * shards never write to the same line of a worker's vector. Sizes then differ by at most 16, otherwise by at most 1.
 */
public final class Sharding {
    private static final int LINE = 16;
    private static final int ALIGNED_FROM = 256;

    private Sharding() {}

    /**
     * Returns the shards' ranges in the order of their offsets; together they cover {@code [0..size)}.
     *
     * @param size number of floats in the parameter vector
     * @param shards number of shards, at least 1 and at most {@code size}
     */
    public static List<ShardRange> split(int size, int shards) {
        if (shards < 1) {
            throw new IllegalArgumentException("the number of parameter shards must be at least 1, was " + shards);
        }
        if (size < shards) {
            throw new IllegalArgumentException(
                    "ps(" + shards + ") has more shards than the model has parameters; the model has " + size);
        }
        int unit = size / shards >= ALIGNED_FROM ? LINE : 1;
        long units = (size - 1L) / unit + 1;
        List<ShardRange> ranges = new ArrayList<>(shards);
        int offset = 0;
        for (int i = 0; i < shards; i++) {
            int end = (int) Math.min(size, units * (i + 1) / shards * unit);
            ranges.add(new ShardRange(i, offset, end - offset));
            offset = end;
        }
        return List.copyOf(ranges);
    }
}
