package dev.edl.runtime.initializers;

/**
 * Initializer with normal values, optionally truncated at two standard deviations; see
 * {@link Initializer#normal(float, float)}.
 */
final class NormalInitializer extends RandomInitializer {
    /** Number of standard deviations at which Keras and TensorFlow truncate. */
    static final double CUT = 2;

    private final float mean;
    private final float stddev;
    private final double bound;

    NormalInitializer(float mean, float stddev, boolean truncated) {
        super((truncated ? "truncated_normal" : "normal") + ":mean=" + mean + ",stddev=" + stddev);
        if (!Float.isFinite(mean) || !(stddev >= 0) || Float.isInfinite(stddev)) {
            String name = truncated ? "truncated_normal" : "normal";
            throw new IllegalArgumentException(name + ": mean and stddev must be finite and stddev at least 0, was "
                    + mean + " and " + stddev + "; for example " + name + ":mean=0.0,stddev=0.05");
        }
        this.mean = mean;
        this.stddev = stddev;
        this.bound = truncated ? CUT : Double.POSITIVE_INFINITY;
    }

    @Override
    public void fill(float[] into, int offset, int dimension, long seed, long id) {
        normal(into, offset, dimension, seed, id, mean, stddev, bound);
    }
}
