package dev.edl.runtime.internal.math;

/** Hash function that mixes the bits of a 64-bit number. */
public final class SplitMixHash {
    private SplitMixHash() {}

    /**
     * Applies the finalizer of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
     * 2014).
     */
    public static long mix(long z) {
        long a = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        long b = (a ^ (a >>> 27)) * 0x94D049BB133111EBL;
        return b ^ (b >>> 31);
    }
}
