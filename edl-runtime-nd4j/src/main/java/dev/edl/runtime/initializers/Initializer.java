package dev.edl.runtime.initializers;

import dev.edl.runtime.internal.math.SplitMixHash;
import java.nio.charset.StandardCharsets;

/**
 * Immutable rule for the initial values of an embedding row.
 *
 * <p>The values depend only on the seed, the table's name and the id. A row therefore has the same values if it is
 * created late, on another parameter server, or again after a loss. Safe to share.
 *
 * <pre>{@code
 * Initializer.uniform();                   // Keras' and ElasticDL's "uniform"
 * Initializer.truncatedNormal(0, 0.1f);
 * Initializer.parse("he_normal");
 * }</pre>
 */
public abstract class Initializer {
    /** Standard deviation of normal values by default, as in Keras. */
    static final float STDDEV = 0.05f;

    /** Bound of uniform values by default, as in Keras. */
    static final float LIMIT = 0.05f;

    Initializer() {}

    /** Returns an initializer of zeros. */
    public static Initializer zeros() {
        return new ConstantInitializer(0);
    }

    /** Returns an initializer of ones. */
    public static Initializer ones() {
        return new ConstantInitializer(1);
    }

    /**
     * Returns an initializer that sets all floats to one value.
     *
     * @param value finite
     */
    public static Initializer constant(float value) {
        return new ConstantInitializer(value);
    }

    /** Returns an initializer of uniform values from -0.05 to 0.05: Keras' and ElasticDL's "uniform". */
    public static Initializer uniform() {
        return uniform(-LIMIT, LIMIT);
    }

    /**
     * Returns an initializer of values that are uniform in a range; Keras' default is -0.05 to 0.05.
     *
     * @param minval smallest value, finite
     * @param maxval exclusive upper bound, finite and not below {@code minval}
     */
    public static Initializer uniform(float minval, float maxval) {
        return new UniformInitializer(minval, maxval);
    }

    /**
     * Returns an initializer of normally distributed values; Keras' defaults are a mean of 0 and a standard deviation
     * of 0.05.
     *
     * @param mean finite
     * @param stddev finite and at least 0
     */
    public static Initializer normal(float mean, float stddev) {
        return new NormalInitializer(mean, stddev, false);
    }

    /**
     * Returns an initializer of normally distributed values within two standard deviations of the mean; values beyond
     * are drawn again.
     *
     * <p>Keras' defaults are a mean of 0 and a standard deviation of 0.05.
     *
     * @param mean finite
     * @param stddev standard deviation of the distribution before truncation, finite and at least 0
     */
    public static Initializer truncatedNormal(float mean, float stddev) {
        return new NormalInitializer(mean, stddev, true);
    }

    /** Returns Glorot and Bengio (2010), uniform: {@link #varianceScaling} of 1, fan_avg, uniform. */
    public static Initializer glorotUniform() {
        return new VarianceScaling("glorot_uniform", 1, "uniform");
    }

    /** Returns Glorot and Bengio (2010), normal: {@link #varianceScaling} of 1, fan_avg, truncated_normal. */
    public static Initializer glorotNormal() {
        return new VarianceScaling("glorot_normal", 1, "truncated_normal");
    }

    /** Returns He and others (2015), uniform: {@link #varianceScaling} of 2, fan_in, uniform. */
    public static Initializer heUniform() {
        return new VarianceScaling("he_uniform", 2, "uniform");
    }

    /**
     * Returns the normal initializer of He and others (2015): {@link #varianceScaling} with scale 2, mode fan_in and a
     * truncated normal distribution.
     */
    public static Initializer heNormal() {
        return new VarianceScaling("he_normal", 2, "truncated_normal");
    }

    /** Returns LeCun and others (1998), uniform: {@link #varianceScaling} of 1, fan_in, uniform. */
    public static Initializer lecunUniform() {
        return new VarianceScaling("lecun_uniform", 1, "uniform");
    }

    /** Returns LeCun and others (1998), normal: {@link #varianceScaling} of 1, fan_in, truncated_normal. */
    public static Initializer lecunNormal() {
        return new VarianceScaling("lecun_normal", 1, "truncated_normal");
    }

    /**
     * Returns an initializer of values with the variance {@code scale / fan}, as Keras' initializer of this name has.
     *
     * <p>For a vector, such as a row, Keras sets both fans to its length, so the mode makes no difference.
     *
     * @param scale finite and above 0
     * @param mode {@code fan_in}, {@code fan_out} or {@code fan_avg}
     * @param distribution {@code truncated_normal}, {@code untruncated_normal} or {@code uniform}
     */
    public static Initializer varianceScaling(float scale, String mode, String distribution) {
        return VarianceScaling.of(scale, mode, distribution);
    }

    /**
     * Parses the form that {@link #toString()} writes: a name, then optional settings.
     *
     * <p>Examples are {@code zeros}, {@code uniform}, {@code constant:value=0.5}, {@code truncated_normal:stddev=0.1},
     * {@code he_normal} and {@code variance_scaling:scale=2.0,mode=fan_in,distribution=uniform}. Defaults are those of
     * Keras.
     *
     * @throws IllegalArgumentException for an unknown name or setting (naming the nearest known one), a setting given
     *     twice, a value out of range, or an initializer that only matrices have
     */
    public static Initializer parse(String text) {
        return InitializerText.parse(text);
    }

    /**
     * Writes a row's initial values.
     *
     * @param into array that is overwritten from {@code offset} on
     * @param dimension number of floats in the row
     * @param seed seed of the table, equal for all its rows, see {@link #seed}
     * @param id the row's id
     */
    public abstract void fill(float[] into, int offset, int dimension, long seed, long id);

    /** Returns the seed of a table's rows, computed from the training's seed and the table's name. */
    public static long seed(long trainingSeed, String table) {
        long name = 0;
        for (byte letter : table.getBytes(StandardCharsets.UTF_8)) {
            name = SplitMixHash.mix(name + letter + 1);
        }
        return SplitMixHash.mix(trainingSeed ^ name);
    }

    @Override
    public final boolean equals(Object other) {
        return other instanceof Initializer that && toString().equals(that.toString());
    }

    @Override
    public final int hashCode() {
        return toString().hashCode();
    }

    /** Returns the text form, for example {@code uniform:minval=-0.05,maxval=0.05}. */
    @Override
    public abstract String toString();
}
