package dev.edl.runtime.zoo.internal.graph;

import dev.edl.runtime.model.EmbeddingTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.api.buffer.DataType;

/**
 * Names and shapes that a {@link dev.edl.runtime.zoo.SameDiffModel} uses of a graph, checked against that graph.
 *
 * @param features placeholder of the features; null for a graph that takes ids alone
 * @param tables embedding tables, in the order of {@code tableInputs}
 * @param tableInputs the placeholders of the vectors of each table
 * @param labelWidth number of classes of a classifier, otherwise number of label floats
 */
public record GraphSpec(
        @Nullable GraphInput features,
        List<EmbeddingTable> tables,
        List<GraphInput> tableInputs,
        GraphInput labels,
        LabelEncoding form,
        int labelWidth,
        String loss,
        String predictions) {

    public static GraphSpec of(
            SameDiff graph,
            @Nullable String features,
            Map<EmbeddingTable, String> tables,
            String labels,
            LabelEncoding form,
            int labelWidth,
            String loss,
            String predictions) {
        GraphLookup names = new GraphLookup(graph);
        GraphInput featureInput = features == null ? null : names.input("features", features);
        if (featureInput != null && featureInput.type() != DataType.FLOAT) {
            throw new IllegalArgumentException(
                    "features: placeholder \"" + features + "\" must be FLOAT, was " + featureInput.type());
        }
        List<GraphInput> tableInputs = new ArrayList<>();
        tables.forEach((table, placeholder) -> tableInputs.add(tableInput(names, table, placeholder)));
        GraphInput labelInput = names.input("labels", labels);
        if (!form.suits(labelInput.type(), labelInput.recordShape(), labelWidth)) {
            throw new IllegalArgumentException("labels: for " + form.call(labelWidth) + " placeholder \"" + labels
                    + "\" must be " + form.placeholder(labelWidth) + ", was " + labelInput);
        }
        names.variable("loss", loss);
        names.variable("predictions", predictions);
        return new GraphSpec(
                featureInput,
                List.copyOf(tables.keySet()),
                List.copyOf(tableInputs),
                labelInput,
                form,
                labelWidth,
                loss,
                predictions);
    }

    private static GraphInput tableInput(GraphLookup names, EmbeddingTable table, String placeholder) {
        GraphInput input = names.input("table " + table.name(), placeholder);
        if (input.type() != DataType.FLOAT
                || !input.recordShape().equals(List.of((long) table.columns(), (long) table.dimension()))) {
            throw new IllegalArgumentException("table " + table.name() + ": placeholder \"" + placeholder
                    + "\" must be FLOAT [-1, " + table.columns() + ", " + table.dimension()
                    + "], a vector for each column, was " + input);
        }
        return input;
    }

    public int featureWidth() {
        return features == null ? 0 : features.width();
    }

    /** Returns the number of ids in a record that the tables look up. */
    public int ids() {
        return tables.stream()
                .mapToInt(table -> table.firstColumn() + table.columns())
                .max()
                .orElse(0);
    }
}
