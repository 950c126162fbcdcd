package dev.edl.runtime;

import dev.edl.runtime.data.ArrayDataset;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.DatasetSource;
import dev.edl.runtime.data.internal.LazyDataset;
import dev.edl.runtime.internal.contract.ReservedArrayNames;
import dev.edl.runtime.model.EmbeddingTable;
import dev.edl.runtime.model.Model;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks that a model and a dataset match, from their declarations, before any record is read. */
final class ModelDataCheck {
    private ModelDataCheck() {}

    /**
     * Adds a problem for each width that differs, and for an in-memory table with more classes than the model has
     * outputs.
     *
     * @param name name of the setting with the dataset, for messages
     */
    static void check(String name, Dataset dataset, Model model, List<String> problems) {
        if (dataset.features() != model.features()) {
            problems.add(name + " has " + dataset.features() + " features per record, but the model takes "
                    + model.features());
        }
        if (dataset.ids() != model.ids()) {
            problems.add(name + " has " + dataset.ids() + " ids per record, but the model takes " + model.ids());
        }
        if (dataset.labels() != model.labels()) {
            problems.add(name + " has " + dataset.labels() + " label values per record, but the model takes "
                    + model.labels());
        }
        // One label and several outputs mean a classifier; with one output it may be a regression.
        boolean classifier = model.labels() == 1 && model.outputs() > 1;
        if (classifier && dataset instanceof ArrayDataset table && table.classes() > model.outputs()) {
            problems.add(name + " has labels from 0 to " + (table.classes() - 1) + ", but the model has "
                    + model.outputs() + " outputs, one for each class; a model for these labels has "
                    + table.classes() + " outputs");
        }
    }

    /** Checks like {@link #check}, and adds a problem if there are no records; ignores a dataset that is not open. */
    static void checkRecords(String name, Dataset dataset, Model model, List<String> problems) {
        if (!isOpen(dataset)) {
            return;
        }
        if (dataset.records() == 0) {
            problems.add(name + " has no records in its " + dataset.shards().size() + " shards");
        }
        check(name, dataset, model, problems);
    }

    /** Checks validation data like {@link #checkRecords}, and adds a problem if its names differ from the data's. */
    static void checkValidation(Dataset validation, @Nullable Dataset data, Model model, List<String> problems) {
        checkRecords("validation", validation, model, problems);
        if (data != null && isOpen(data) && isOpen(validation)) {
            problems.addAll(validation.names().differences("validation", data.names(), "data"));
        }
    }

    private static boolean isOpen(Dataset dataset) {
        return !(dataset instanceof LazyDataset lazy) || lazy.isOpen();
    }

    /**
     * Returns the dataset of a source; checks that it matches the model when the dataset is opened.
     *
     * @param name name of the setting with the source, for messages
     */
    static Dataset checkedLater(String name, DatasetSource source, Model model) {
        return new LazyDataset(name, source, opened -> {
            List<String> problems = new ArrayList<>();
            checkRecords(name, opened, model, problems);
            if (!problems.isEmpty()) {
                throw new InvalidTrainingException(problems);
            }
        });
    }

    /**
     * Adds a problem for each embedding table that looks up more ids than a record has, and for each clash of names.
     */
    static void checkTables(Model model, List<String> problems) {
        for (EmbeddingTable table : model.embeddings()) {
            if (table.firstColumn() + table.columns() > model.ids()) {
                problems.add("model looks up " + table + ", but takes " + model.ids() + " ids per record");
            }
        }
        ReservedArrayNames.clashes(model, clash -> problems.add("model: " + clash));
        try {
            EmbeddingTable.requireNames(model.layout(), model.embeddings());
        } catch (IllegalArgumentException e) {
            problems.add("model: " + e.getMessage());
        }
    }
}
