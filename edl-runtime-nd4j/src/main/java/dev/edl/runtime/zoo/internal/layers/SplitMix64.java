package dev.edl.runtime.zoo.internal.layers;

/**
 * Random number generator whose sequence is the same on every machine and JDK: splitmix64.
 *
 * <p>It is defined in Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
 */
public final class SplitMix64 {
    private long state;

    public SplitMix64(long seed) {
        state = seed;
    }

    /** Restarts the generator with another seed. */
    void seed(long seed) {
        state = seed;
    }

    long nextLong() {
        state += 0x9E3779B97F4A7C15L;
        long z = state;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** Returns a float from 0 (inclusive) to 1 (exclusive): the 24 highest bits. */
    public float nextFloat() {
        return (nextLong() >>> 40) * 0x1.0p-24f;
    }
}
