package dev.edl.examples.clicks;

/**
 * How likely a click is. The logit is a sum of weights of the ids, of products of two-dimensional vectors of the ids of
 * all pairs of fields, and of the numbers: some straight, some by their absolute value.
 */
final class ClickTruth {
    private static final int DIMENSION = 2;
    private static final double BIAS = -1;
    private static final double WEIGHT = 0.3;
    private static final double VECTOR = 0.5;

    private final long seed;

    ClickTruth(long seed) {
        this.seed = seed;
    }

    /** StrictMath, so that it is the same number on every machine. */
    double probability(int[] ids, float[] numbers) {
        return 1 / (1 + StrictMath.exp(-logit(ids, numbers)));
    }

    private double logit(int[] ids, float[] numbers) {
        double logit = BIAS;
        double[] sums = new double[DIMENSION];
        for (int id : ids) {
            if (id >= 0) {
                // Another sequence than that of any record.
                Draws draws = new Draws(~seed, id);
                logit += WEIGHT * (2 * draws.next() - 1);
                for (int d = 0; d < DIMENSION; d++) {
                    double v = VECTOR * (2 * draws.next() - 1);
                    logit -= v * v / 2;
                    sums[d] += v;
                }
            }
        }
        for (double sum : sums) {
            logit += sum * sum / 2;
        }
        for (int i = 0; i < numbers.length; i++) {
            logit += i % 3 == 0 ? Math.abs(numbers[i]) - 0.5 : 0.3 * numbers[i];
        }
        return logit;
    }
}
