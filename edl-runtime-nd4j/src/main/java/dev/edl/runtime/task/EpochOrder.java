package dev.edl.runtime.task;

import java.util.Random;

/** Hand-out order of the ranges of an epoch: a permutation that depends only on seed and epoch. */
final class EpochOrder {
    private EpochOrder() {}

    static int[] dataset(int ranges) {
        int[] order = new int[ranges];
        for (int i = 0; i < ranges; i++) {
            order[i] = i;
        }
        return order;
    }

    /**
     * Returns a Fisher-Yates shuffle of the indices of {@code ranges} ranges. Uses {@link Random}, whose specification
     * gives the same numbers on every JDK.
     */
    static int[] shuffled(int ranges, long seed, int epoch) {
        int[] order = dataset(ranges);
        Random random = new Random(mix(seed + 0x9E3779B97F4A7C15L * (epoch + 1L)));
        for (int i = ranges - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int swap = order[i];
            order[i] = order[j];
            order[j] = swap;
        }
        return order;
    }

    /**
     * Applies the output function of SplitMix64 (Steele, Lea, Flood 2014), so that neighbouring seeds get unrelated
     * orders.
     */
    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
