package dev.edl.bench.runtime;

/**
 * Dropout mask of {@code MnistCnn} for a batch, computed by the rule in the model's Javadoc. With it a peer can drop
 * the same values, so that the gradients of both can be compared.
 */
final class DropoutMask {
    private static final int VALUES = 12 * 12 * 64;
    private static final int DROPPED = 1 << 14;
    private static final float KEPT = 1 / 0.75f;

    private DropoutMask() {}

    /**
     * Returns the factors of all values, record after record, in each by [height, width, channels]: 0 for a dropped
     * value, otherwise 1 / 0.75.
     */
    static float[] of(long seed, int records) {
        float[] mask = new float[records * VALUES];
        long state = output(seed, 1);
        for (int i = 0; i < mask.length; i++) {
            long bits = output(state, i / 4 + 1L) >>> (16 * (i % 4)) & 0xFFFF;
            mask[i] = bits >= DROPPED ? KEPT : 0;
        }
        return mask;
    }

    /** Returns the nth output, from 1, of splitmix64 (Steele, Lea and Flood, 2014). */
    static long output(long seed, long n) {
        long z = seed + n * 0x9E3779B97F4A7C15L;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
