package dev.edl.runtime.initializers;

import dev.edl.runtime.internal.math.SplitMixHash;
import java.util.Objects;

/**
 * Initializer with random values of one distribution, whose location and scale may depend on the row's dimension.
 *
 * <p>A row has its own stream of SplitMix64, which begins at a mix of the seed and the id. Logarithm and cosine are
 * {@link StrictMath}'s, so that the values are the same on every machine.
 */
abstract class RandomInitializer extends Initializer {
    private static final long STEP = 0x9E3779B97F4A7C15L;

    private final String text;

    RandomInitializer(String text) {
        this.text = text;
    }

    /** Writes values that are uniform from {@code minval} (inclusive) to {@code maxval} (exclusive). */
    static void uniform(float[] into, int offset, int dimension, long seed, long id, float minval, float maxval) {
        Objects.checkFromIndexSize(offset, dimension, into.length);
        long state = start(seed, id);
        for (int i = 0; i < dimension; i++) {
            state += STEP;
            float value = minval + (maxval - minval) * ((SplitMixHash.mix(state) >>> 40) * 0x1p-24f);
            // The sum may be rounded up to the end of the range.
            into[offset + i] = value < maxval ? value : Math.max(minval, Math.nextDown(maxval));
        }
    }

    /**
     * Writes normal values by Box and Muller's transform (1958), two at a time.
     *
     * @param bound maximum distance from the mean in standard deviations; values beyond are drawn again
     */
    static void normal(
            float[] into, int offset, int dimension, long seed, long id, double mean, double stddev, double bound) {
        Objects.checkFromIndexSize(offset, dimension, into.length);
        long state = start(seed, id);
        int i = 0;
        while (i < dimension) {
            // From 0 (exclusive) to 1, so that the logarithm is finite.
            double u = ((SplitMixHash.mix(state += STEP) >>> 11) + 1) * 0x1p-53;
            double angle = 2 * Math.PI * ((SplitMixHash.mix(state += STEP) >>> 11) * 0x1p-53);
            double radius = Math.sqrt(-2 * StrictMath.log(u));
            double first = radius * StrictMath.cos(angle);
            double second = radius * StrictMath.sin(angle);
            if (Math.abs(first) <= bound) {
                into[offset + i++] = (float) (mean + stddev * first);
            }
            if (i < dimension && Math.abs(second) <= bound) {
                into[offset + i++] = (float) (mean + stddev * second);
            }
        }
    }

    private static long start(long seed, long id) {
        return SplitMixHash.mix(seed + id * STEP);
    }

    @Override
    public final String toString() {
        return text;
    }
}
