package dev.edl.runtime.ps;

import dev.edl.runtime.EmbeddingRows;
import java.util.Arrays;
import java.util.List;

/** Looks for NaN and infinities at the speed of reading the gradient. */
final class GradientCheck {
    private static final int LANES = 1024;
    private static final ThreadLocal<float[]> SUMS = ThreadLocal.withInitial(() -> new float[LANES]);

    private GradientCheck() {}

    /**
     * Passes when {@code gradient[from..to)} is finite.
     *
     * @throws NonFiniteGradientException naming the first value that is not
     */
    static void requireFinite(float[] gradient, int from, int to) {
        // x * 0 is 0 for a finite x and NaN otherwise, and NaN survives a sum. Many sums side by side, because HotSpot
        // vectorises those and not one sum of floats, whose order it must keep.
        float[] sums = SUMS.get();
        Arrays.fill(sums, 0);
        int at = from;
        for (; at <= to - LANES; at += LANES) {
            add(sums, gradient, at);
        }
        float sum = 0;
        for (; at < to; at++) {
            sum += gradient[at] * 0f;
        }
        for (float s : sums) {
            sum += s;
        }
        if (sum != 0) {
            throw firstOf(gradient, from, to);
        }
    }

    /**
     * Passes when the gradients of all rows are finite.
     *
     * @throws NonFiniteGradientException naming the first value that is not
     */
    static void requireFinite(List<EmbeddingRows> tables) {
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

    private static void add(float[] sums, float[] gradient, int at) {
        for (int i = 0; i < LANES; i++) {
            sums[i] += gradient[at + i] * 0f;
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
