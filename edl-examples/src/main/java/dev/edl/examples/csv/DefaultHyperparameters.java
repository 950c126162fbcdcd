package dev.edl.examples.csv;

import dev.edl.runtime.optimizers.Optimizer;

/**
 * Default hyperparameters for a standardised table. They are tuned on 19 tables of 60 to 5,000 rows, 2 to 2,000
 * features and 2 to 10 classes, and reach the held-out accuracy of a regularised logistic regression. More steps would
 * lower the training loss, but also the held-out accuracy.
 */
final class DefaultHyperparameters {
    private static final int FEW_RECORDS = 30_000;
    private static final int MANY_RECORDS = 200_000;
    private static final int LEAST = 10;
    private static final int USUAL = 40;
    private static final int MOST = 400;
    private static final double LEARNING_RATE = 0.05;
    /**
     * Maximum product of learning rate and number of features. The curvature of the loss grows with the number of
     * correlated features, and a step must not overshoot the minimum.
     */
    private static final double RATE_TIMES_FEATURES = 25;

    private DefaultHyperparameters() {}

    /** Returns the number of epochs: 40 for 750 to 5,000 rows, up to 400 for fewer rows, and down to 10 for more. */
    static int epochs(int rows) {
        int usual = Math.min(USUAL, MANY_RECORDS / rows);
        return Math.max(LEAST, Math.min(MOST, Math.max(usual, FEW_RECORDS / rows)));
    }

    static Optimizer optimizer(int features) {
        return Optimizer.sgd((float) Math.min(LEARNING_RATE, RATE_TIMES_FEATURES / features));
    }
}
