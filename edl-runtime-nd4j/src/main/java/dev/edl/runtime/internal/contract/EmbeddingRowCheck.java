package dev.edl.runtime.internal.contract;

import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.model.EmbeddingTable;
import dev.edl.runtime.model.Model;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Checks a session's use of embedding rows against the contract of {@link Model}: values are read only, gradients are
 * added to, and nothing else is written.
 */
public final class EmbeddingRowCheck {
    private final Model model;
    private final Consumer<String> problems;
    private final Batch batch;
    /** Gradients of the rows after the first step, by table. */
    private final float[][] first;
    /** Original content of the batch. */
    private final float[] features;

    private final float[] labels;
    private final long[] ids;

    public EmbeddingRowCheck(Model model, Batch sample, Consumer<String> problems) {
        this.model = model;
        this.problems = problems;
        batch = model.embeddings().isEmpty() ? sample : copy(model, sample);
        first = new float[batch.tables().size()][];
        features = batch.features().clone();
        labels = batch.labels().clone();
        ids = batch.ids().clone();
    }

    /** Returns a copy of the sample's records, in a batch with room for one more record. */
    private static Batch copy(Model model, Batch sample) {
        Batch copy = new Batch(sample.size() + 1, model.features(), model.labels(), model.ids(), model.embeddings());
        copy.clear(sample.origin()).seed(sample.seed());
        for (int row = 0; row < sample.size(); row++) {
            copy.addRow(sample, row, -1);
        }
        return copy;
    }

    /** Reports duplicate table names, and tables whose id columns the records do not have. */
    public static void tables(Model model, Consumer<String> problems) {
        List<EmbeddingTable> tables = model.embeddings();
        if (!tables.equals(model.embeddings())) {
            problems.accept("embeddings() must be the same at every call");
        }
        for (int t = 0; t < tables.size(); t++) {
            EmbeddingTable table = tables.get(t);
            if (table.firstColumn() + table.columns() > model.ids()) {
                problems.accept("embeddings() has " + table + ", but records have " + model.ids() + " ids");
            }
            if (tables.subList(0, t).stream().anyMatch(other -> other.name().equals(table.name()))) {
                problems.accept("embeddings() names two tables \"" + table.name() + "\"");
            }
            if (model.layout().parameters().stream().anyMatch(p -> p.name().equals(table.name()))) {
                problems.accept("\"" + table.name() + "\" is a parameter in layout() and a table in embeddings()");
            }
        }
        ReservedArrayNames.clashes(model, problems);
    }

    /**
     * Returns the batch of the copied records, with initial values in its embedding rows and {@code before} as every
     * row gradient.
     */
    public Batch prepare(float before) {
        batch.gather();
        for (EmbeddingRows rows : batch.tables()) {
            rows.initialize(1);
            Arrays.fill(rows.gradients(), 0f);
            Arrays.fill(rows.gradients(), 0, rows.count() * rows.table().dimension(), before);
        }
        return batch;
    }

    /** Saves the row gradients; called after a step that started from row gradients of 0. */
    public void keepFirst() {
        for (int t = 0; t < first.length; t++) {
            first[t] = batch.rows(t).gradients().clone();
        }
    }

    /** Returns, by table, the gradients of the rows after the first step. */
    public float[][] firstGradients() {
        return first;
    }

    /**
     * Checks that the step left records and row values unchanged.
     *
     * @param method method of the session that was called, for messages
     */
    public void readOnly(String method) {
        readOnly(method, "features", Arrays.mismatch(features, batch.features()), batch.featureWidth());
        readOnly(method, "labels", Arrays.mismatch(labels, batch.labels()), batch.labelWidth());
        readOnly(method, "ids", Arrays.mismatch(ids, batch.ids()), batch.idWidth());
        System.arraycopy(features, 0, batch.features(), 0, features.length);
        System.arraycopy(labels, 0, batch.labels(), 0, labels.length);
        System.arraycopy(ids, 0, batch.ids(), 0, ids.length);
        for (EmbeddingRows rows : batch.tables()) {
            int used = rows.count() * rows.table().dimension();
            float[] values = rows.values().clone();
            rows.initialize(1);
            int changed = Arrays.mismatch(values, 0, used, rows.values(), 0, used);
            if (changed >= 0) {
                problems.accept(method + " must not change the values of rows, but changed " + place(rows, changed));
            }
        }
    }

    private void readOnly(String method, String what, int changed, int width) {
        if (changed >= 0) {
            problems.accept(method + " must not change the batch, but changed its " + what + " at [" + changed / width
                    + ", " + changed % width + "]");
        }
    }

    /**
     * Compares the row gradients with the saved ones, which must be smaller by 1; called after a step that started from
     * row gradients of 1.
     */
    public void compare() {
        for (int t = 0; t < first.length; t++) {
            compare(batch.rows(t), first[t]);
        }
    }

    private void compare(EmbeddingRows rows, float[] added) {
        int used = rows.count() * rows.table().dimension();
        float[] gradients = rows.gradients();
        for (int i = 0; i < used; i++) {
            if (!Float.isFinite(added[i])) {
                problems.accept("gradient(...) must be finite at the initial values, but the gradient of "
                        + place(rows, i) + " is " + added[i] + " for " + batch);
                return;
            }
            if (Math.abs(gradients[i] - (added[i] + 1)) > 1e-3 * Math.max(1, Math.abs(added[i]))) {
                problems.accept("gradient(...) must add to the gradients of rows, but that of " + place(rows, i)
                        + " was 0.0 before and " + added[i] + " after, then 1.0 before and " + gradients[i]
                        + " after");
                return;
            }
        }
        for (int i = used; i < gradients.length; i++) {
            if (gradients[i] != 0 || added[i] != 0) {
                problems.accept("gradient(...) writes beyond the " + rows + " that the batch has");
                return;
            }
        }
    }

    /** Runs a step on the same records without any id, to check that a session accepts records without ids. */
    public void withoutIds(Model.Session session, float[] parameters) {
        Arrays.fill(batch.ids(), -1);
        prepare(0);
        try {
            session.gradient(parameters, batch, new float[parameters.length]);
            session.predict(parameters, batch, new float[Math.multiplyExact(batch.size(), model.outputs())]);
        } catch (IndexOutOfBoundsException e) {
            problems.accept("gradient(...) or predict(...) reads or writes outside its arrays for records without ids ("
                    + e.getMessage() + "); skip an id for which EmbeddingRows.row(...) returns -1");
            return;
        }
        for (EmbeddingRows rows : batch.tables()) {
            for (float gradient : rows.gradients()) {
                if (gradient != 0) {
                    problems.accept(
                            "gradient(...) writes a gradient for " + rows.table()
                                    + " although the records have no id; skip an id for which EmbeddingRows.row(...) returns -1");
                    break;
                }
            }
        }
    }

    static String place(EmbeddingRows rows, int index) {
        int dimension = rows.table().dimension();
        return rows.table().name() + " of id " + rows.ids()[index / dimension] + " at element [" + index % dimension
                + "]";
    }
}
