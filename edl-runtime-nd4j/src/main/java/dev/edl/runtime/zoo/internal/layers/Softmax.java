package dev.edl.runtime.zoo.internal.layers;

import dev.edl.runtime.model.Batch;

/** Softmax and its cross-entropy loss on rows of scores; scores are shifted by their maximum to avoid overflow. */
public final class Softmax {
    private Softmax() {}

    /** Converts scores to probabilities. */
    public static void probabilities(float[] scores, int rows, int classes, float[] into) {
        for (int row = 0; row < rows; row++) {
            row(scores, row * classes, classes, into);
        }
    }

    /**
     * Returns the mean cross-entropy of the batch's class labels, and writes its gradient: (p - 1[label]) / rows.
     *
     * @param delta overwritten with the gradient; not {@code scores} itself
     */
    public static float loss(float[] scores, Batch batch, int classes, float[] delta) {
        int rows = batch.size();
        double loss = 0;
        float share = 1f / rows;
        for (int row = 0; row < rows; row++) {
            int from = row * classes;
            int target = from + batch.classLabel(row, classes);
            double logSum = row(scores, from, classes, delta);
            loss += logSum - scores[target];
            for (int i = from; i < from + classes; i++) {
                delta[i] *= share;
            }
            delta[target] -= share;
        }
        return (float) (loss / rows);
    }

    /** Writes the probabilities of one row; returns the logarithm of the sum of exponentials. */
    private static double row(float[] scores, int from, int classes, float[] into) {
        float max = scores[from];
        for (int i = from + 1; i < from + classes; i++) {
            max = Math.max(max, scores[i]);
        }
        double sum = 0;
        for (int i = from; i < from + classes; i++) {
            double e = Math.exp(scores[i] - max);
            into[i] = (float) e;
            sum += e;
        }
        float scale = (float) (1 / sum);
        for (int i = from; i < from + classes; i++) {
            into[i] *= scale;
        }
        return max + Math.log(sum);
    }
}
