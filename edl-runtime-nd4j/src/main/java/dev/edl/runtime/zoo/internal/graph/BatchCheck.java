package dev.edl.runtime.zoo.internal.graph;

import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.EmbeddingTable;
import dev.edl.runtime.model.Model;
import java.util.List;

/** Rejects a batch or a vector that a session cannot compute on, before native memory is written. */
public final class BatchCheck {
    private BatchCheck() {}

    /**
     * Rejects arguments of {@link Model.Session#gradient} whose widths, number of records or label width do not match.
     */
    public static void training(Model model, int capacity, Batch batch, float[] parameters, float[] gradient) {
        training(model, capacity, batch, gradient);
        length(model, "parameters", parameters.length, model.layout().size());
    }

    /** Rejects arguments of a gradient call on loaded parameters that do not match the model. */
    public static void training(Model model, int capacity, Batch batch, float[] gradient) {
        batch(model, capacity, batch);
        if (batch.labelWidth() != model.labels()) {
            throw new IllegalArgumentException(model + " takes " + model.labels() + " label(s) per record, was "
                    + batch.labelWidth() + ": " + batch);
        }
        length(model, "gradient", gradient.length, model.layout().size());
    }

    /**
     * Rejects arguments of a prediction that do not match the model. Labels are ignored, and the outputs may be longer
     * than the batch needs.
     */
    public static void prediction(Model model, int capacity, Batch batch, float[] parameters, float[] outputs) {
        batch(model, capacity, batch);
        length(model, "parameters", parameters.length, model.layout().size());
        if (outputs.length < batch.size() * model.outputs()) {
            throw new IllegalArgumentException(model + ": the outputs of " + batch.size() + " records need "
                    + batch.size() * model.outputs() + " floats, was " + outputs.length);
        }
    }

    private static void batch(Model model, int capacity, Batch batch) {
        if (batch.featureWidth() != model.features()) {
            throw new IllegalArgumentException(model + " takes " + model.features() + " features per record, was "
                    + batch.featureWidth() + ": " + batch);
        }
        if (batch.idWidth() != model.ids()) {
            throw new IllegalArgumentException(
                    model + " takes " + model.ids() + " ids per record, was " + batch.idWidth() + ": " + batch);
        }
        if (!sameTables(model.embeddings(), batch)) {
            throw new IllegalArgumentException(model + " needs the embedding tables " + model.embeddings()
                    + ", but the batch has " + batch.tables() + ": " + batch
                    + "; create it by Batch.of(model, capacity)");
        }
        if (batch.size() < 1 || batch.size() > capacity) {
            throw new IllegalArgumentException(
                    model + ": this session takes 1 to " + capacity + " records at once, was " + batch);
        }
    }

    private static boolean sameTables(List<EmbeddingTable> tables, Batch batch) {
        if (tables.size() != batch.tables().size()) {
            return false;
        }
        for (int i = 0; i < tables.size(); i++) {
            EmbeddingTable table = batch.rows(i).table();
            EmbeddingTable expected = tables.get(i);
            // The initial values of rows do not matter to a session.
            if (!table.name().equals(expected.name())
                    || table.dimension() != expected.dimension()
                    || table.firstColumn() != expected.firstColumn()
                    || table.columns() != expected.columns()) {
                return false;
            }
        }
        return true;
    }

    private static void length(Model model, String what, int length, int expected) {
        if (length != expected) {
            throw new IllegalArgumentException(
                    model + ": the " + what + " must have " + expected + " floats, was " + length);
        }
    }
}
