package dev.edl.runtime.internal.contract;

/**
 * Slope of a float32 loss with respect to one number, from differences at four distances with error bounds.
 *
 * <p>A loss is a 32-bit float and may have kinks (ReLU, max pooling), so one difference proves nothing. The error of a
 * central difference at one distance is at most about the sum of
 *
 * <ul>
 *   <li>its change from the next larger distance, because the curvature error decreases with the square of the
 *       distance;
 *   <li>the difference of the slopes to both sides, which remains at a kink at every distance;
 *   <li>the rounding of the loss, divided by the distance: 16 units in the last place, or the loss's own steps if those
 *       are larger.
 * </ul>
 *
 * <p>A gradient contradicts the slope if it differs by more than 2 percent plus four times that error.
 */
final class NumericalDerivative {
    private static final double[] DISTANCES = {1 / 8.0, 1 / 64.0, 1 / 512.0, 1 / 4096.0};
    private static final int FIRST = 1;
    private static final double SAME = 0.01;
    private static final double DIFFERENT = 0.02;
    private static final int UNITS = 16;

    private final float at;
    private final double loss;
    private final double repeat;
    private final Loss function;
    private final Difference[] differences = new Difference[DISTANCES.length];
    private double best = Double.NaN;

    /** The loss as a function of one number. */
    @FunctionalInterface
    interface Loss {
        float with(float value);
    }

    private record Difference(double distance, double forward, double backward, double central, double change) {
        boolean usable() {
            return Double.isFinite(forward) && Double.isFinite(backward);
        }
    }

    /**
     * Creates a derivative that is not measured yet.
     *
     * @param at value of the number at which the slope is measured
     * @param loss value of the loss there
     * @param repeat difference of the loss between two calls with the same values
     */
    NumericalDerivative(float at, float loss, double repeat, Loss function) {
        this.at = at;
        this.loss = loss;
        this.repeat = repeat;
        this.function = function;
    }

    /** Returns the slope that a gradient contradicted. */
    double best() {
        return best;
    }

    boolean contradicts(double gradient) {
        Difference quick = difference(FIRST);
        if (quick.usable()
                && Math.abs(gradient - quick.central())
                        <= SAME * Math.max(Math.abs(gradient), Math.abs(quick.central()))
                                + 2 * rounding() / quick.distance()) {
            return false;
        }
        double rounding = rounding();
        double least = Double.POSITIVE_INFINITY;
        for (int k = 0; k < DISTANCES.length; k++) {
            rounding = Math.max(rounding, steps(k));
        }
        for (int k = 1; k < DISTANCES.length; k++) {
            Difference one = difference(k);
            Difference larger = difference(k - 1);
            if (!one.usable() || !larger.usable()) {
                continue;
            }
            double error = Math.abs(one.central() - larger.central())
                    + Math.abs(one.forward() - one.backward())
                    + 2 * rounding / one.distance();
            if (error < least) {
                least = error;
                best = one.central();
            }
        }
        return Math.abs(gradient - best) > DIFFERENT * Math.max(Math.abs(gradient), Math.abs(best)) + 4 * least;
    }

    private double rounding() {
        return Math.max(repeat, UNITS * (double) Math.ulp((float) loss));
    }

    /** Returns the granularity of the loss: its change at a distance whose smaller neighbour has none; 0 for none. */
    private double steps(int k) {
        boolean flat = k + 1 < DISTANCES.length && difference(k + 1).change() == 0;
        return flat && difference(k).usable() ? difference(k).change() : 0;
    }

    private Difference difference(int k) {
        Difference known = differences[k];
        if (known == null) {
            float distance = (float) (DISTANCES[k] * Math.max(1, Math.abs(at)));
            float above = at + distance;
            float below = at - distance;
            double up = function.with(above);
            double down = function.with(below);
            known = new Difference(
                    distance,
                    (up - loss) / ((double) above - at),
                    (loss - down) / ((double) at - below),
                    (up - down) / ((double) above - below),
                    Math.max(Math.abs(up - loss), Math.abs(down - loss)));
            differences[k] = known;
        }
        return known;
    }
}
