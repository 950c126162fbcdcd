package dev.edl.runtime.initializers;

/** Initializer with uniform values; see {@link Initializer#uniform(float, float)}. */
final class UniformInitializer extends RandomInitializer {
    private final float minval;
    private final float maxval;

    UniformInitializer(float minval, float maxval) {
        super("uniform:minval=" + minval + ",maxval=" + maxval);
        if (!Float.isFinite(minval) || !Float.isFinite(maxval) || minval > maxval) {
            throw new IllegalArgumentException(
                    "uniform: minval and maxval must be finite and minval at most maxval, was " + minval + " and "
                            + maxval + "; for example uniform:minval=-0.05,maxval=0.05");
        }
        this.minval = minval;
        this.maxval = maxval;
    }

    @Override
    public void fill(float[] into, int offset, int dimension, long seed, long id) {
        uniform(into, offset, dimension, seed, id, minval, maxval);
    }
}
