package dev.edl.runtime.zoo.internal.graph;

import dev.edl.internal.text.SpellingSuggestion;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.autodiff.samediff.VariableType;
import org.nd4j.linalg.api.buffer.DataType;

/** Finds the parts of a {@link dev.edl.runtime.zoo.SameDiffModel} in a graph by name, or reports the mistake. */
public final class GraphLookup {
    private final SameDiff graph;

    public GraphLookup(SameDiff graph) {
        this.graph = graph;
    }

    SDVariable variable(String role, String name) {
        if (!graph.hasVariable(name)) {
            List<String> known =
                    graph.variables().stream().map(SDVariable::name).toList();
            throw new IllegalArgumentException(
                    role + ": the graph has no variable \"" + name + "\"; " + SpellingSuggestion.hint(name, known));
        }
        return graph.getVariable(name);
    }

    /**
     * Returns a placeholder, whose first dimension must be the number of records.
     *
     * @param role use of the placeholder, for messages
     */
    GraphInput input(String role, String name) {
        SDVariable variable = variable(role, name);
        if (!variable.isPlaceHolder()) {
            List<String> known = graph.variables().stream()
                    .filter(SDVariable::isPlaceHolder)
                    .map(SDVariable::name)
                    .toList();
            throw new IllegalArgumentException(role + ": \"" + name + "\" is not a placeholder but "
                    + variable.getVariableType()
                    + (known.isEmpty() ? "; the graph has none" : "; " + SpellingSuggestion.hint(name, known)));
        }
        long[] shape = variable.placeholderShape();
        if (shape == null
                || shape.length == 0
                || shape[0] != -1
                || LongStream.of(shape).skip(1).anyMatch(d -> d < 1)) {
            throw new IllegalArgumentException(role + ": placeholder \"" + name
                    + "\" must have the shape [-1, ...], -1 for the number of records and the rest given, was "
                    + Arrays.toString(shape));
        }
        return new GraphInput(
                name, variable.dataType(), LongStream.of(shape).skip(1).boxed().toList());
    }

    /** Returns the trainable variables, ordered by name. */
    public List<SDVariable> trainable() {
        List<SDVariable> trainable = graph.variables().stream()
                .filter(v -> v.getVariableType() == VariableType.VARIABLE)
                .sorted((a, b) -> a.name().compareTo(b.name()))
                .toList();
        if (trainable.isEmpty()) {
            throw new IllegalArgumentException(
                    "the graph has no variable to train; one is made by sd.var(\"w\", DataType.FLOAT, 4, 3)");
        }
        for (SDVariable v : trainable) {
            if (v.dataType() != DataType.FLOAT) {
                throw new IllegalArgumentException("variable \"" + v.name() + "\" must be FLOAT, was " + v.dataType());
            }
        }
        return trainable;
    }
}
