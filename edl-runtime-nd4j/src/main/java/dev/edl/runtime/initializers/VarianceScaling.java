package dev.edl.runtime.initializers;

import dev.edl.internal.text.SpellingSuggestion;
import java.util.List;

/** Initializer whose variance is a scale divided by the fan; see {@link Initializer#varianceScaling}. */
final class VarianceScaling extends RandomInitializer {
    static final List<String> MODES = List.of("fan_in", "fan_out", "fan_avg");
    static final List<String> DISTRIBUTIONS = List.of("truncated_normal", "untruncated_normal", "uniform");

    /** Standard deviation of a standard normal variable truncated at two: SciPy's {@code truncnorm.std(-2, 2)}. */
    private static final double CUT_STDDEV = 0.8796256610342398;

    private final double scale;
    private final String distribution;

    /** Creates one of the named initializers, such as {@code he_normal}. */
    VarianceScaling(String name, double scale, String distribution) {
        super(name);
        this.scale = scale;
        this.distribution = distribution;
    }

    /** Creates an initializer from checked settings. */
    static VarianceScaling of(float scale, String mode, String distribution) {
        if (!(scale > 0) || Float.isInfinite(scale)) {
            throw new IllegalArgumentException("variance_scaling: scale must be a finite number above 0, was " + scale
                    + "; for example variance_scaling:scale=2.0,mode=fan_in,distribution=truncated_normal");
        }
        requireKnown("mode", mode, MODES);
        requireKnown("distribution", distribution, DISTRIBUTIONS);
        return new VarianceScaling(
                "variance_scaling:scale=" + scale + ",mode=" + mode + ",distribution=" + distribution,
                scale,
                distribution);
    }

    private static void requireKnown(String what, String word, List<String> known) {
        if (!known.contains(word)) {
            throw new IllegalArgumentException("variance_scaling: \"" + word + "\" is not a known " + what + "; "
                    + SpellingSuggestion.hint(word, known));
        }
    }

    @Override
    public void fill(float[] into, int offset, int dimension, long seed, long id) {
        // Keras sets both fans of a one-dimensional shape to its length, so the mode makes no difference.
        double variance = scale / dimension;
        if (distribution.equals("uniform")) {
            float limit = (float) Math.sqrt(3 * variance);
            uniform(into, offset, dimension, seed, id, -limit, limit);
        } else {
            boolean cut = distribution.equals("truncated_normal");
            double stddev = Math.sqrt(variance) / (cut ? CUT_STDDEV : 1);
            double bound = cut ? NormalInitializer.CUT : Double.POSITIVE_INFINITY;
            normal(into, offset, dimension, seed, id, 0, stddev, bound);
        }
    }
}
