package dev.edl.examples.csv;

import dev.edl.runtime.optimizers.Optimizer;

/**
 * Default hyperparameters for a standardised table. Tuned on 19 tables of 60 to 5,000 rows, 2 to 2,000 features and 2
 * to 10 classes. The held-out accuracy is that of a regularised logistic regression. More steps would lower the
 * training loss, but also the held-out accuracy.
 */
final class CsvDefaults {
    private static final int FEW_RECORDS = 30_000;
    private static final int MANY_RECORDS = 200_000;
    private static final int LEAST = 10;
    private static final int USUAL = 40;
    private static final int MOST = 400;
    private static final double LEARNING_RATE = 0.05;
    /** The curvature of the loss grows with the number of correlated features; a step must not overshoot it. */
    private static final double RATE_TIMES_FEATURES = 25;

    private CsvDefaults() {}

    /** Returns 40 passes for some hundred rows or more; more for fewer rows, fewer for very many: from 400 to 10. */
    static int epochs(int rows) {
        int usual = Math.min(USUAL, MANY_RECORDS / rows);
        return Math.max(LEAST, Math.min(MOST, Math.max(usual, FEW_RECORDS / rows)));
    }

    static Optimizer optimizer(int features) {
        return Optimizer.sgd((float) Math.min(LEARNING_RATE, RATE_TIMES_FEATURES / features));
    }
}
