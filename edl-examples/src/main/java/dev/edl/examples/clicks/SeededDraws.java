package dev.edl.examples.clicks;

/**
 * Sequence of random numbers, a function of a seed and a number such as that of a record. It is splitmix64 of Steele,
 * Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
 */
final class SeededDraws {
    private static final long STEP = 0x9E3779B97F4A7C15L;

    private long state;

    SeededDraws(long seed, long number) {
        state = mix(mix(seed) + number * STEP);
    }

    /** Returns a number from 0 (inclusive) to 1 (exclusive). */
    double next() {
        state += STEP;
        return (mix(state) >>> 11) * 0x1p-53;
    }

    private static long mix(long z) {
        long a = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        long b = (a ^ (a >>> 27)) * 0x94D049BB133111EBL;
        return b ^ (b >>> 31);
    }
}
