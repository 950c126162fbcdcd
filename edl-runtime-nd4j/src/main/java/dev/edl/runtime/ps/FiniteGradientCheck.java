package dev.edl.runtime.ps;

import dev.edl.runtime.model.EmbeddingRows;
import java.util.List;

/** Rejects gradients with NaN or infinities. */
public final class FiniteGradientCheck {
    private FiniteGradientCheck() {}

    /**
     * Checks that {@code gradient[from..to)} is finite.
     *
     * @throws NonFiniteGradientException naming the first value that is not
     */
    public static void requireFinite(float[] gradient, int from, int to) {
        if (!dev.edl.runtime.model.StepResultCheck.finite(gradient, from, to)) {
            throw firstOf(gradient, from, to);
        }
    }

    /**
     * Checks that the gradients of all rows are finite.
     *
     * @throws NonFiniteGradientException naming the first value that is not
     */
    public static void requireFinite(List<EmbeddingRows> tables) {
        for (int t = 0; t < tables.size(); t++) {
            EmbeddingRows rows = tables.get(t);
            int dimension = rows.table().dimension();
            try {
                requireFinite(rows.gradients(), 0, rows.count() * dimension);
            } catch (NonFiniteGradientException e) {
                int row = e.flatIndex() / dimension;
                throw new NonFiniteGradientException(
                        rows.table().name(), rows.ids()[row], e.flatIndex() % dimension, e.value());
            }
        }
    }

    private static NonFiniteGradientException firstOf(float[] gradient, int from, int to) {
        for (int i = from; i < to; i++) {
            if (!Float.isFinite(gradient[i])) {
                return new NonFiniteGradientException(i, gradient[i]);
            }
        }
        throw new IllegalStateException("the gradient was changed while it was being pushed");
    }
}
