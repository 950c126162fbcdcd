package dev.edl.runtime;

import java.util.Objects;

/**
 * The rule for the first values of an embedding row.
 *
 * <p>A row's values follow from the seed, the table's name and the id alone, so a row that is made late, on another
 * parameter server, or again after a loss has the same values. A value without state; immutable and safe to share.
 *
 * <pre>{@code
 * Initializer.uniform(-0.05f, 0.05f);      // Keras' and ElasticDL's "uniform"
 * Initializer.zeros();
 * }</pre>
 */
public abstract class Initializer {
    Initializer() {}

    /** All values 0. */
    public static Initializer zeros() {
        return Uniform.ZEROS;
    }

    /**
     * Values drawn evenly from a range; Keras' default is -0.05 to 0.05.
     *
     * @param minval inclusive, finite
     * @param maxval exclusive, finite and not below {@code minval}
     */
    public static Initializer uniform(float minval, float maxval) {
        return new Uniform(minval, maxval);
    }

    /**
     * Writes a row's first values.
     *
     * @param into overwritten from {@code offset}
     * @param dimension floats of the row
     * @param seed the same for all rows of a table, see {@link #seed}
     * @param id the row's id
     */
    public abstract void fill(float[] into, int offset, int dimension, long seed, long id);

    /** The seed of a table's rows, from the training's seed and the table's name. */
    public static long seed(long trainingSeed, String table) {
        return mix(trainingSeed ^ mix(table.hashCode()));
    }

    /** The finalizer of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014). */
    static long mix(long z) {
        long a = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        long b = (a ^ (a >>> 27)) * 0x94D049BB133111EBL;
        return b ^ (b >>> 31);
    }

    @Override
    public final boolean equals(Object other) {
        return other instanceof Initializer that && toString().equals(that.toString());
    }

    @Override
    public final int hashCode() {
        return toString().hashCode();
    }

    /** The text form, for example {@code uniform:minval=-0.05,maxval=0.05}. */
    @Override
    public abstract String toString();

    private static final class Uniform extends Initializer {
        static final Uniform ZEROS = new Uniform(0, 0);

        private static final long STEP = 0x9E3779B97F4A7C15L;

        private final float minval;
        private final float maxval;

        Uniform(float minval, float maxval) {
            if (!Float.isFinite(minval) || !Float.isFinite(maxval) || minval > maxval) {
                throw new IllegalArgumentException(
                        "uniform: minval and maxval must be finite and minval at most maxval," + " was " + minval
                                + " and " + maxval + "; for example uniform:minval=-0.05,maxval=0.05");
            }
            this.minval = minval;
            this.maxval = maxval;
        }

        @Override
        public void fill(float[] into, int offset, int dimension, long seed, long id) {
            Objects.checkFromIndexSize(offset, dimension, into.length);
            long state = mix(seed + id * STEP);
            for (int i = 0; i < dimension; i++) {
                state += STEP;
                into[offset + i] = minval + (maxval - minval) * ((mix(state) >>> 40) * 0x1p-24f);
            }
        }

        @Override
        public String toString() {
            return minval == 0 && maxval == 0 ? "zeros" : "uniform:minval=" + minval + ",maxval=" + maxval;
        }
    }
}
