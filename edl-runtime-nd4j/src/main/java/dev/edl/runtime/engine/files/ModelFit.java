package dev.edl.runtime;

import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.TableDataset;
import dev.edl.runtime.ps.ShardContents;
import java.util.List;

/** Whether a model and a dataset are made for each other, as far as both say before a record is read. */
final class ModelFit {
    private ModelFit() {}

    /**
     * Adds a problem for each width that differs, and for a table in memory with more classes than the model has outputs.
     *
     * @param name the setting that the dataset was given to
     */
    static void check(String name, Dataset dataset, Model model, List<String> problems) {
        if (dataset.features() != model.features()) {
            problems.add(name + " has " + dataset.features() + " features a record, but the model takes "
                    + model.features());
        }
        if (dataset.ids() != model.ids()) {
            problems.add(name + " has " + dataset.ids() + " ids a record, but the model takes " + model.ids());
        }
        if (dataset.labels() != model.labels()) {
            problems.add(name + " has " + dataset.labels() + " label values a record, but the model takes "
                    + model.labels());
        }
        // One label and several outputs are a classifier's; with one output it may be a regression.
        boolean classifier = model.labels() == 1 && model.outputs() > 1;
        if (classifier && dataset instanceof TableDataset table && table.classes() > model.outputs()) {
            problems.add(name + " has labels from 0 to " + (table.classes() - 1) + ", but the model has "
                    + model.outputs() + " outputs, one for each class; a model for these labels has "
                    + table.classes() + " outputs");
        }
    }

    /** Adds a problem for each embedding table that the model's ids or parameters do not fit. */
    static void checkTables(Model model, List<String> problems) {
        for (EmbeddingTable table : model.embeddings()) {
            if (table.firstColumn() + table.columns() > model.ids()) {
                problems.add("model looks up " + table + ", but takes " + model.ids() + " ids a record");
            }
        }
        ModelArrays.clashes(model, clash -> problems.add("model: " + clash));
        try {
            ShardContents.of(model, 0);
        } catch (IllegalArgumentException e) {
            problems.add("model: " + e.getMessage());
        }
    }
}
