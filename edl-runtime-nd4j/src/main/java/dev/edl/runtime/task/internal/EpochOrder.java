package dev.edl.runtime.task.internal;

import java.util.Random;

/** The order in which the ranges of an epoch are handed out: a permutation that depends on seed and epoch alone. */
public final class EpochOrder {
    private EpochOrder() {}

    public static int[] dataset(int ranges) {
        int[] order = new int[ranges];
        for (int i = 0; i < ranges; i++) {
            order[i] = i;
        }
        return order;
    }

    /** Fisher-Yates, with the generator that the Javadoc of {@link Random} fixes to the bit for every JDK. */
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

    /** Returns the output function of SplitMix64 (Steele, Lea, Flood 2014): neighbouring seeds get unrelated orders. */
    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
