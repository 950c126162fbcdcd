package dev.edl.runtime;

import dev.edl.runtime.ps.ShardCut;
import java.util.Arrays;
import java.util.Optional;

/**
 * Stops what a session returned at a step from reaching the parameters when it is not usable: a vector of the wrong
 * length, a loss or a gradient that is NaN or infinite.
 *
 * <pre>{@code
 * GradientCheck check = new GradientCheck("mlp", model.layout());
 * float loss = session.gradient(parameters, batch, gradient);
 * check.check(120, loss, gradient, batch);
 * // model "mlp": step 120: the gradient of dense/kernel[64, 10] is NaN at element [3, 7]; batch train-00000[128..192)
 * }</pre>
 *
 * <p>Immutable and safe for several threads. A check reads the gradient once, about 0.2 ns a float.
 */
public final class GradientCheck {
    private final String model;
    private final ParameterLayout layout;

    /**
     * A check for one model.
     *
     * @param model its name in messages
     * @param layout the model's layout
     */
    public GradientCheck(String model, ParameterLayout layout) {
        this.model = model;
        this.layout = layout;
    }

    /**
     * Passes when the loss and every element of the gradient are finite, and those of the batch's rows of embedding
     * tables.
     *
     * @param step the number of the step, for the message
     * @param batch what the gradient was computed on, for the message
     * @throws ModelException otherwise; it names the first element that is not finite
     */
    public void check(long step, float loss, float[] gradient, Batch batch) {
        if (gradient.length != layout.size()) {
            throw failure(step, "the gradient must have " + layout.size() + " floats, was " + gradient.length, batch);
        }
        if (!Float.isFinite(loss)) {
            throw failure(step, "the loss is " + loss, batch);
        }
        float largest = 0;
        for (int i = 0; i < gradient.length; i++) {
            // Hands a NaN on, and compiles to vector instructions, which a search for the first bad element does not.
            largest = Math.max(largest, Math.abs(gradient[i]));
        }
        if (!Float.isFinite(largest)) {
            throw failure(step, "the gradient of " + firstBad(layout, gradient), batch);
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
                    batch);
        }
    }

    /** What is not finite in the shards' parameters; empty when everything is. */
    static Optional<String> firstBad(ParameterLayout layout, ShardCut cut) {
        return cut.firstNonFinite().isPresent()
                ? Optional.of(firstBad(layout, cut.weights()))
                : cut.firstNonFiniteRow().map(row -> row + " is not finite");
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

    /** For example {@code dense/kernel[64, 10] is NaN at element [3, 7]}. */
    static String firstBad(ParameterLayout layout, float[] vector) {
        int i = 0;
        while (Float.isFinite(vector[i])) {
            i++;
        }
        return layout.at(i) + " is " + vector[i] + " at " + element(layout, i);
    }

    /** For example {@code element [3, 7]}: where a flat index stands in its parameter. */
    static String element(ParameterLayout layout, int flatIndex) {
        Parameter parameter = layout.at(flatIndex);
        int[] position = new int[parameter.shape().size()];
        int rest = flatIndex - parameter.offset();
        for (int d = position.length - 1; d >= 0; d--) {
            position[d] = rest % parameter.shape().get(d);
            rest /= parameter.shape().get(d);
        }
        return "element " + Arrays.toString(position);
    }

    private ModelException failure(long step, String what, Batch batch) {
        String origin = batch.origin().isEmpty() ? "of " + batch.size() + " records" : batch.origin();
        return new ModelException("model \"" + model + "\": step " + step + ": " + what + "; batch " + origin);
    }

    /** For example {@code GradientCheck[mlp, 650 floats]}. */
    @Override
    public String toString() {
        return "GradientCheck[" + model + ", " + layout.size() + " floats]";
    }
}
