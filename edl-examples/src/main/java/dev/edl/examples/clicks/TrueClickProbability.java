package dev.edl.examples.clicks;

/**
 * True probability of a click. The logit is the sum of weights of the ids, products of two-dimensional vectors of the
 * ids of all pairs of fields, and terms of the numbers, some linear and some by absolute value.
 */
final class TrueClickProbability {
    private static final int DIMENSION = 2;
    private static final double BIAS = -1;
    private static final double WEIGHT = 0.3;
    private static final double VECTOR = 0.5;

    private final long seed;

    TrueClickProbability(long seed) {
        this.seed = seed;
    }

    /** Returns the probability of a click. Uses StrictMath, so that the result is the same on every machine. */
    double probability(int[] ids, float[] numbers) {
        return 1 / (1 + StrictMath.exp(-logit(ids, numbers)));
    }

    private double logit(int[] ids, float[] numbers) {
        double logit = BIAS;
        double[] sums = new double[DIMENSION];
        for (int id : ids) {
            if (id >= 0) {
                // A sequence different from that of every record.
                SeededDraws draws = new SeededDraws(~seed, id);
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
