package dev.edl.runtime.zoo.internal.layers;

import dev.edl.runtime.model.Batch;

/** Logistic function and its cross-entropy loss, computed from logits without overflow. */
public final class LogisticLoss {
    private LogisticLoss() {}

    /** Converts logits to the probabilities of class 1. */
    public static void probabilities(float[] logits, int rows, float[] into) {
        for (int row = 0; row < rows; row++) {
            into[row] = (float) probability(logits[row]);
        }
    }

    /**
     * Returns the mean cross-entropy of the batch's labels 0 and 1, and writes its gradient: (p - label) / rows.
     *
     * @param delta overwritten with the gradient
     */
    public static float loss(float[] logits, Batch batch, float[] delta) {
        int rows = batch.size();
        double loss = 0;
        for (int row = 0; row < rows; row++) {
            int label = batch.classLabel(row, 2);
            double logit = logits[row];
            // ln(1 + e^z) - label z, with the exponent never above 0.
            loss += Math.max(logit, 0) - label * logit + Math.log1p(Math.exp(-Math.abs(logit)));
            delta[row] = (float) ((probability(logit) - label) / rows);
        }
        return (float) (loss / rows);
    }

    private static double probability(double logit) {
        double e = Math.exp(-Math.abs(logit));
        return (logit < 0 ? e : 1) / (1 + e);
    }
}
