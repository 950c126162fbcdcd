package dev.edl.runtime.model;

import java.util.Arrays;

/**
 * Check that rejects an unusable result of a step: a gradient of the wrong length, or a loss or gradient that is NaN or
 * infinite.
 *
 * <pre>{@code
 * StepResultCheck check = new StepResultCheck("mlp", model.layout());
 * float loss = session.gradient(parameters, batch, gradient);
 * check.check(120, loss, gradient, batch);
 * // model "mlp": step 120: the gradient of dense/kernel[64, 10] is NaN at element [3, 7]; batch train-00000[128..192);
 * // a smaller learning rate, or standardised features, may help
 * }</pre>
 *
 * <p>If the batch itself contains a NaN or infinite value, the message names its record and feature instead of the
 * advice.
 *
 * <p>Immutable and safe for several threads. A check reads the gradient once, about 0.1 ns a float.
 */
public final class StepResultCheck {
    private static final int BLOCK = 2048;
    private static final String SMALLER = "; a smaller learning rate, or standardised features, may help";
    private static final ThreadLocal<float[][]> ROOM = ThreadLocal.withInitial(() -> new float[2][BLOCK]);

    private final String model;
    private final ParameterLayout layout;

    /**
     * Creates a check for one model.
     *
     * @param model name of the model in messages
     * @param layout the model's layout
     */
    public StepResultCheck(String model, ParameterLayout layout) {
        this.model = model;
        this.layout = layout;
    }

    /**
     * Checks that the loss, every element of the gradient and the gradients of embedding rows are finite.
     *
     * @param step the number of the step, for the message
     * @param batch the batch of the gradient, for the message
     * @throws ModelException when one is not finite, or the gradient has another length than the layout; the message
     *     names the first such element, and a value of the batch that is not finite
     */
    public void check(long step, float loss, float[] gradient, Batch batch) {
        if (gradient.length != layout.size()) {
            throw failure(
                    step, "the gradient must have " + layout.size() + " floats, was " + gradient.length, batch, "");
        }
        if (!Float.isFinite(loss)) {
            throw failure(step, "the loss is " + loss, batch, advice(batch));
        }
        if (!finite(gradient, 0, gradient.length)) {
            throw failure(step, "the gradient of " + firstBad(layout, gradient), batch, advice(batch));
        }
        for (int t = 0; t < batch.tables().size(); t++) {
            checkRows(step, batch.rows(t), batch);
        }
    }

    private void checkRows(long step, EmbeddingRows rows, Batch batch) {
        int dimension = rows.table().dimension();
        int bad = firstBad(rows.gradients(), rows.count() * dimension);
        if (bad >= 0) {
            throw failure(
                    step,
                    "the gradient of row " + rows.ids()[bad / dimension] + " of "
                            + rows.table().name() + " is " + rows.gradients()[bad] + " at element " + bad % dimension,
                    batch,
                    advice(batch));
        }
    }

    private static int firstBad(float[] gradients, int count) {
        float largest = 0;
        for (int i = 0; i < count; i++) {
            largest = Math.max(largest, Math.abs(gradients[i]));
        }
        if (Float.isFinite(largest)) {
            return -1;
        }
        int i = 0;
        while (Float.isFinite(gradients[i])) {
            i++;
        }
        return i;
    }

    /**
     * Returns whether all of {@code vector[from..to)} is finite, at nearly the speed of reading it.
     *
     * @param from first index, from 0 to {@code to}
     * @param to index after the last, at most the vector's length
     */
    public static boolean finite(float[] vector, int from, int to) {
        // x * 0 is 0 for a finite x and NaN otherwise, and NaN survives a sum. HotSpot vectorises many parallel sums
        // over arrays with the same index, hence the copy. It does not vectorise one sum of floats, whose order it must
        // keep.
        float[] sums = ROOM.get()[0];
        float[] block = ROOM.get()[1];
        Arrays.fill(sums, 0);
        for (int at = from; at < to; at += BLOCK) {
            int count = Math.min(BLOCK, to - at);
            System.arraycopy(vector, at, block, 0, count);
            addNothing(sums, block, count);
        }
        float sum = 0;
        for (float s : sums) {
            sum += s;
        }
        return sum == 0;
    }

    private static void addNothing(float[] sums, float[] block, int count) {
        for (int i = 0; i < count; i++) {
            sums[i] += block[i] * 0f;
        }
    }

    /**
     * Returns a phrase for the first element of a vector that is not finite, for example
     * {@code dense/kernel[64, 10] is NaN at element [3, 7]}.
     */
    public static String firstBad(ParameterLayout layout, float[] vector) {
        int i = 0;
        while (Float.isFinite(vector[i])) {
            i++;
        }
        return layout.at(i) + " is " + vector[i] + " at " + element(layout, i);
    }

    /** Returns the position of a flat index in its parameter, for example {@code element [3, 7]}. */
    public static String element(ParameterLayout layout, int flatIndex) {
        Parameter parameter = layout.at(flatIndex);
        int[] position = new int[parameter.shape().size()];
        int rest = flatIndex - parameter.offset();
        for (int d = position.length - 1; d >= 0; d--) {
            position[d] = rest % parameter.shape().get(d);
            rest /= parameter.shape().get(d);
        }
        return "element " + Arrays.toString(position);
    }

    /**
     * Returns the end of the message. If the batch has a value that is not finite, names it, because no learning rate
     * helps. Otherwise advises a smaller learning rate.
     */
    private static String advice(Batch batch) {
        return batch.notFinite()
                .map(bad -> "; " + bad + ": correct that record, or leave it out")
                .orElse(SMALLER);
    }

    private ModelException failure(long step, String what, Batch batch, String advice) {
        String origin = batch.origin().isEmpty() ? "of " + batch.size() + " records" : batch.origin();
        return new ModelException("model \"" + model + "\": step " + step + ": " + what + "; batch " + origin + advice);
    }

    /** Returns, for example, {@code StepResultCheck[mlp, 650 floats]}. */
    @Override
    public String toString() {
        return "StepResultCheck[" + model + ", " + layout.size() + " floats]";
    }
}
