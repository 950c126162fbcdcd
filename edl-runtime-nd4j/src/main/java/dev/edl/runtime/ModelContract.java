package dev.edl.runtime;

import dev.edl.runtime.internal.contract.EmbeddingRowCheck;
import dev.edl.runtime.internal.contract.FiniteDifferenceCheck;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.ModelException;
import dev.edl.runtime.model.StepResultCheck;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Checks a model against the contract of {@link Model} before training starts, on one batch of the data.
 *
 * <p>It finds:
 *
 * <ul>
 *   <li>a layout without parameters, or one that changes;
 *   <li>widths that differ from the data's;
 *   <li>initial values that are not finite, or that differ for the same seed;
 *   <li>a session that leaves part of the gradient or of the outputs unwritten;
 *   <li>a session that writes out of bounds, or changes the shared parameters or batch;
 *   <li>a loss or gradient that is not finite;
 *   <li>embedding tables whose names or columns clash;
 *   <li>a session that overwrites row gradients instead of adding to them, changes row values, or writes to rows that
 *       the batch does not have;
 *   <li>a loading session whose result differs when parameters are loaded in parts;
 *   <li>a gradient that is not that of the loss.
 * </ul>
 *
 * <p>The gradient is compared with central differences of the loss at up to 32 elements. For each trained parameter and
 * each table, these are the element with the largest gradient and one drawn from a fixed seed.
 *
 * <p>An element is wrong if it differs by more than 2 percent plus four times the measured error of the differences.
 * That error includes rounding of the 32-bit loss, curvature and kinks (ReLU, max pooling), so a correct gradient
 * passes. A loss that varies between calls on the same batch is not compared.
 *
 * <pre>{@code
 * ModelContract.check("mlp", model, batch);     // takes as long as about 100 steps; throws with every mistake found
 * }</pre>
 */
public final class ModelContract {
    // Two patterns: an element that keeps both was not written, whatever value the model writes.
    private static final float FIRST = 1.5e30f;
    private static final float SECOND = -2.5e30f;

    private final Model model;
    private final Batch sample;
    private final List<String> problems = new ArrayList<>();
    private final BooleanSupplier compare;

    private ModelContract(Model model, Batch sample, BooleanSupplier compare) {
        this.model = model;
        this.sample = sample;
        this.compare = compare;
    }

    /**
     * Checks the model.
     *
     * @param name the model's name in messages
     * @param sample at least one record of the data; with one record, a gradient that is not averaged is not found;
     *     read only
     * @throws ModelException with one line for each mistake
     */
    public static void check(String name, Model model, Batch sample) {
        check(name, model, sample, () -> true);
    }

    /**
     * Checks the model without comparing the gradient with differences, for a model with a deliberately different
     * gradient, such as a clipped one.
     *
     * @param name the model's name in messages
     * @param sample at least one record of the data; read only
     * @throws ModelException with one line for each mistake
     */
    public static void checkWithoutDifferences(String name, Model model, Batch sample) {
        check(name, model, sample, () -> false);
    }

    /**
     * Checks the model, and compares elements of the gradient with differences of the loss as long as {@code compare}
     * returns true.
     */
    public static void check(String name, Model model, Batch sample, BooleanSupplier compare) {
        if (sample.size() == 0) {
            throw new IllegalArgumentException("a model is checked on at least one record, was " + sample);
        }
        ModelContract contract = new ModelContract(model, sample, compare);
        contract.sizes();
        if (contract.problems.isEmpty()) {
            contract.values();
        }
        if (!contract.problems.isEmpty()) {
            throw new ModelException(
                    "model \"" + name + "\": " + String.join("\nmodel \"" + name + "\": ", contract.problems));
        }
    }

    private void sizes() {
        if (model.layout().size() == 0) {
            problems.add("layout() must name at least one parameter, was []");
        }
        if (model.layout().size() > 0 && model.layout().trained() == 0) {
            problems.add("layout() must have at least one trained parameter, but has only state: " + model.layout());
        }
        if (!model.layout().equals(model.layout())) {
            problems.add("layout() must be the same at every call");
        }
        if (model.features() != sample.featureWidth()) {
            problems.add("features() must be the data's " + sample.featureWidth() + ", was " + model.features());
        }
        if (model.labels() != sample.labelWidth()) {
            problems.add("labels() must be the data's " + sample.labelWidth() + ", was " + model.labels());
        }
        if (model.ids() != sample.idWidth()) {
            problems.add("ids() must be the data's " + sample.idWidth() + ", was " + model.ids());
        }
        EmbeddingRowCheck.tables(model, problems::add);
        if (model.outputs() < 1) {
            problems.add("outputs() must be at least 1, was " + model.outputs());
        }
    }

    private void values() {
        float[] parameters = filled(model.layout().size(), FIRST);
        float[] again = filled(parameters.length, SECOND);
        model.initialize(parameters, 1);
        model.initialize(again, 1);
        int unwritten = unwritten(parameters, again);
        if (unwritten >= 0) {
            problems.add("initialize(...) does not write " + place(unwritten));
            return;
        }
        int different = Arrays.mismatch(parameters, again);
        if (different >= 0) {
            problems.add("initialize(...) must give the same values for the same seed, was " + parameters[different]
                    + " and " + again[different] + " for " + place(different));
        }
        for (float p : parameters) {
            if (!Float.isFinite(p)) {
                problems.add("initialize(...) must give finite values, but "
                        + StepResultCheck.firstBad(model.layout(), parameters));
                return;
            }
        }
        EmbeddingRowCheck rows = new EmbeddingRowCheck(model, sample, problems::add);
        try (Model.Session session = model.open(sample.size())) {
            int before = problems.size();
            float[] gradient = gradient(session, parameters, rows);
            if (problems.size() == before && session instanceof Model.LoadingSession loading) {
                loaded(loading, parameters, rows);
            }
            predict(session, parameters, rows);
            if (problems.size() == before) {
                problems.addAll(new FiniteDifferenceCheck(model, session, rows, parameters)
                        .check(gradient, rows.firstGradients(), compare));
            }
            if (problems.size() == before && !model.embeddings().isEmpty()) {
                rows.withoutIds(session, parameters);
            }
        }
    }

    private float[] gradient(Model.Session session, float[] parameters, EmbeddingRowCheck rows) {
        float[] before = parameters.clone();
        float[] gradient = filled(parameters.length, FIRST);
        float[] again = filled(parameters.length, SECOND);
        float loss;
        try {
            loss = session.gradient(parameters, rows.prepare(0), gradient);
            rows.keepFirst();
            session.gradient(parameters, rows.prepare(1), again);
        } catch (IndexOutOfBoundsException e) {
            problems.add("gradient(...) reads or writes outside its arrays (" + e.getMessage() + "); they have "
                    + parameters.length + " floats and the batch is " + sample);
            return gradient;
        }
        readOnly("gradient(...)", before, parameters, rows);
        int unwritten = unwritten(gradient, again);
        if (unwritten >= 0) {
            problems.add(unwritten(session, parameters, rows, gradient, again));
            return gradient;
        }
        rows.compare();
        if (!Float.isFinite(loss)) {
            problems.add("gradient(...) must return a finite loss at the initial values, was " + loss + " for " + sample
                    + nonFiniteValue());
        }
        for (float g : gradient) {
            if (!Float.isFinite(g)) {
                problems.add("gradient(...) must be finite at the initial values, but the gradient of "
                        + StepResultCheck.firstBad(model.layout(), gradient) + " for " + sample
                        + nonFiniteValue());
                return gradient;
            }
        }
        return gradient;
    }

    /**
     * Returns the end of a message: the first value of the sample that is not finite, which may be the cause instead of
     * the model. Empty if all values are finite.
     */
    private String nonFiniteValue() {
        return sample.notFinite().map(bad -> "; " + bad).orElse("");
    }

    /** Returns the mistake of a model whose gradient still has fill values after two steps. */
    private String unwritten(
            Model.Session session, float[] parameters, EmbeddingRowCheck rows, float[] gradient, float[] again) {
        float[] cleared = new float[parameters.length];
        session.gradient(parameters, rows.prepare(0), cleared);
        for (int i = 0; i < cleared.length; i++) {
            if (gradient[i] == FIRST && again[i] == SECOND && cleared[i] != 0) {
                // The session added: its value is lost in rounding beside the large fill value.
                return "gradient(...) adds to the gradient of " + place(i)
                        + ", instead of overwriting it; clear the vector first: it holds the last step's gradient";
            }
        }
        int left = unwritten(gradient, again);
        return left < model.layout().trained()
                ? "gradient(...) does not write the gradient of " + place(left)
                : "gradient(...) does not write the change of the state " + place(left) + ", 0 for none";
    }

    /**
     * Checks that a session to which the parameters are loaded in three parts, the last part first, gives the same
     * result as with the whole vector.
     */
    private void loaded(Model.LoadingSession session, float[] parameters, EmbeddingRowCheck rows) {
        float[] whole = new float[parameters.length];
        float[] parts = new float[parameters.length];
        // Loads other parameters in between, so that a part that is not loaded cannot be right by chance.
        float expected = session.gradient(parameters, rows.prepare(0), whole);
        session.gradient(new float[parameters.length], rows.prepare(0), parts);
        int third = parameters.length / 3;
        int[] from = {2 * third, 0, third};
        int[] to = {parameters.length, third, 2 * third};
        for (int i = 0; i < from.length; i++) {
            session.load(parameters, from[i], from[i], to[i] - from[i]);
        }
        float loss = session.gradient(rows.prepare(0), parts);
        int different = Arrays.mismatch(whole, parts);
        if (loss != expected || different >= 0) {
            problems.add("gradient(...) of parameters that were loaded in parts must be that of the whole vector, was "
                    + (loss != expected
                            ? "a loss of " + loss + ", not " + expected
                            : parts[different] + ", not " + whole[different] + ", for " + place(different)));
        }
        readOnly("load(...)", parameters.clone(), parameters, rows);
    }

    private void readOnly(String method, float[] before, float[] parameters, EmbeddingRowCheck rows) {
        int changed = Arrays.mismatch(before, parameters);
        if (changed >= 0) {
            problems.add(method + " must not change the parameters, but changed " + place(changed));
        }
        rows.readOnly(method);
    }

    private void predict(Model.Session session, float[] parameters, EmbeddingRowCheck rows) {
        float[] before = parameters.clone();
        int length = Math.multiplyExact(sample.size(), model.outputs());
        float[] outputs = filled(length, FIRST);
        float[] again = filled(length, SECOND);
        try {
            session.predict(parameters, rows.prepare(0), outputs);
            session.predict(parameters, rows.prepare(0), again);
        } catch (IndexOutOfBoundsException e) {
            problems.add("predict(...) reads or writes outside its arrays (" + e.getMessage() + "); the outputs have "
                    + length + " floats and the batch is " + sample);
            return;
        }
        readOnly("predict(...)", before, parameters, rows);
        int unwritten = unwritten(outputs, again);
        if (unwritten >= 0) {
            problems.add("predict(...) does not write output " + unwritten % model.outputs() + " of row "
                    + unwritten / model.outputs());
        }
    }

    private String place(int flatIndex) {
        return model.layout().at(flatIndex) + " at " + StepResultCheck.element(model.layout(), flatIndex);
    }

    private static float[] filled(int length, float with) {
        float[] vector = new float[length];
        Arrays.fill(vector, with);
        return vector;
    }

    /** Returns the first index where both vectors still hold their fill values; -1 for none. */
    private static int unwritten(float[] first, float[] second) {
        for (int i = 0; i < first.length; i++) {
            if (first[i] == FIRST && second[i] == SECOND) {
                return i;
            }
        }
        return -1;
    }
}
