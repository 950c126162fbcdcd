package dev.edl.runtime.model;

import dev.edl.runtime.Batch;
import dev.edl.runtime.Model;

/** Refuses a batch or a vector that a session cannot compute on, before native memory sees it. */
final class BatchCheck {
    private BatchCheck() {}

    /** For a gradient: the widths, the size and the labels' width must fit. */
    static void training(Model model, int capacity, Batch batch, float[] parameters, float[] gradient) {
        batch(model, capacity, batch, parameters);
        if (batch.labelWidth() != model.labels()) {
            throw new IllegalArgumentException(model + " takes " + model.labels() + " label(s) a record, was "
                    + batch.labelWidth() + ": " + batch);
        }
        length(model, "gradient", gradient.length, model.layout().size());
    }

    /** For a prediction: labels do not matter; there may be more room for outputs than the batch needs. */
    static void prediction(Model model, int capacity, Batch batch, float[] parameters, float[] outputs) {
        batch(model, capacity, batch, parameters);
        if (outputs.length < batch.size() * model.outputs()) {
            throw new IllegalArgumentException(model + ": the outputs of " + batch.size() + " records need "
                    + batch.size() * model.outputs() + " floats, was " + outputs.length);
        }
    }

    private static void batch(Model model, int capacity, Batch batch, float[] parameters) {
        if (batch.featureWidth() != model.features()) {
            throw new IllegalArgumentException(model + " takes " + model.features() + " features a record, was "
                    + batch.featureWidth() + ": " + batch);
        }
        if (batch.size() < 1 || batch.size() > capacity) {
            throw new IllegalArgumentException(
                    model + ": this session takes 1 to " + capacity + " records at once, was " + batch);
        }
        length(model, "parameters", parameters.length, model.layout().size());
    }

    private static void length(Model model, String what, int length, int expected) {
        if (length != expected) {
            throw new IllegalArgumentException(
                    model + ": the " + what + " must have " + expected + " floats, was " + length);
        }
    }
}
