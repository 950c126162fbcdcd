package dev.edl.runtime.zoo.internal.layers;

/**
 * Inverted dropout (Srivastava and others, 2014): training sets values to 0 with a probability, the rate.
 *
 * <p>Other values are multiplied by 1 / (1 - rate), so that predictions need no change.
 *
 * <p>The mask depends on a seed alone. A splitmix64 generator is seeded by the first output of one with the given seed.
 * Value i uses bits {@code 16 (i % 4)} to {@code 16 (i % 4) + 15} of output {@code i / 4}; it is kept if they, as a
 * number, are at least {@code round(65536 rate)}. Not safe for several threads.
 */
public final class Dropout {
    private static final int DRAWS = 1 << 16;

    private final SplitMix64 random = new SplitMix64(0);
    private final int threshold;
    private final float kept;

    /**
     * Creates a dropout layer.
     *
     * @param rate share of values that are set to 0, from 0 (inclusive) to 1 (exclusive); rounded to a multiple of
     *     1/65536
     */
    public Dropout(double rate) {
        threshold = (int) Math.min(Math.round(DRAWS * rate), DRAWS - 1);
        kept = (float) DRAWS / (DRAWS - threshold);
    }

    /** Writes the mask's factor, 0 or 1 / (1 - rate), for each of the first {@code n} values. */
    public void mask(long seed, float[] mask, int n) {
        random.seed(seed);
        random.seed(random.nextLong());
        int whole = n & -4;
        for (int i = 0; i < whole; i += 4) {
            long bits = random.nextLong();
            mask[i] = factor(bits);
            mask[i + 1] = factor(bits >>> 16);
            mask[i + 2] = factor(bits >>> 32);
            mask[i + 3] = factor(bits >>> 48);
        }
        long bits = random.nextLong();
        for (int i = whole; i < n; i++) {
            mask[i] = factor(bits);
            bits >>>= 16;
        }
    }

    /**
     * Returns the factor for 16 random bits. Uses a product instead of a branch, which would be mispredicted every
     * fourth time.
     */
    private float factor(long bits) {
        return kept * ((threshold - 1 - (int) (bits & (DRAWS - 1))) >>> 31);
    }

    /** Multiplies values, or their gradients, by a mask. */
    public static void apply(float[] mask, float[] x, int n) {
        for (int i = 0; i < n; i++) {
            x[i] *= mask[i];
        }
    }
}
