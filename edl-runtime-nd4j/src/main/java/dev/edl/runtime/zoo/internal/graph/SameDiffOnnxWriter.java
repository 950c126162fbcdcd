package dev.edl.runtime.zoo.internal.graph;

import dev.edl.runtime.onnx.OnnxGraph;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.autodiff.samediff.VariableType;
import org.nd4j.autodiff.samediff.internal.SameDiffOp;
import org.nd4j.autodiff.samediff.internal.Variable;
import org.nd4j.linalg.api.ndarray.INDArray;

/** Writes the part of a graph from its inputs to the predictions as ONNX nodes. The loss is not part of it. */
public final class SameDiffOnnxWriter {
    private final SameDiff graph;
    private final GraphSpec spec;
    private final OnnxGraph onnx;
    private final UnaryOperator<String> parameters;
    private final Map<String, String> values = new HashMap<>();

    /** @param parameters adds a trained parameter to the ONNX graph by its name, and returns its value */
    public SameDiffOnnxWriter(SameDiff graph, GraphSpec spec, OnnxGraph onnx, UnaryOperator<String> parameters) {
        this.graph = graph;
        this.spec = spec;
        this.onnx = onnx;
        this.parameters = parameters;
    }

    /**
     * Adds the nodes and returns the value of the predictions: float [batch, outputs].
     *
     * @param features value of the features: float [batch, features]
     * @param vectors values of the tables' vectors: float [batch, columns, dimension]
     * @throws IllegalArgumentException when an operator has no ONNX counterpart
     */
    public String write(String features, List<String> vectors, int outputs) {
        Set<String> path = path();
        Map<String, long[]> shapes = new GraphProbe(graph, spec).shapes(path);
        GraphInput input = spec.features();
        if (input != null && path.contains(input.name())) {
            values.put(
                    input.name(),
                    input.recordShape().size() == 1 ? features : reshaped(features, input.name(), input.shape(-1)));
        }
        for (int t = 0; t < vectors.size(); t++) {
            values.put(spec.tableInputs().get(t).name(), vectors.get(t));
        }
        for (String variable : path) {
            if (!values.containsKey(variable)) {
                values.put(variable, add(graph.getVariable(variable), shapes));
            }
        }
        String predictions = valueOf(spec.predictions());
        return Objects.requireNonNull(shapes.get(spec.predictions())).length == 2
                ? predictions
                : reshaped(predictions, "outputs", -1, outputs);
    }

    /** Returns the predictions and the variables from which they are computed, each after its operands. */
    private Set<String> path() {
        Set<String> path = new LinkedHashSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(spec.predictions()));
        while (!open.isEmpty()) {
            SameDiffOp operator = operator(open.element());
            List<String> operands = operator == null ? List.of() : operands(operator);
            List<String> missing =
                    operands.stream().filter(operand -> !path.contains(operand)).toList();
            for (int i = missing.size() - 1; i >= 0; i--) {
                open.push(missing.get(i));
            }
            if (missing.isEmpty()) {
                path.add(open.remove());
            }
        }
        return path;
    }

    private @Nullable SameDiffOp operator(String variable) {
        Variable found = graph.getVariables().get(variable);
        String operator = found == null ? null : found.getOutputOfOp();
        return operator == null ? null : graph.getOps().get(operator);
    }

    private static List<String> operands(SameDiffOp operator) {
        List<String> operands = operator.getInputsToOp();
        return operands == null ? List.of() : operands;
    }

    private String valueOf(String variable) {
        return Objects.requireNonNull(values.get(variable), () -> "no value of " + variable);
    }

    private String add(SDVariable variable, Map<String, long[]> shapes) {
        String name = variable.name();
        SameDiffOp operator = operator(name);
        if (operator != null) {
            List<String> operands = operands(operator);
            return OnnxOperators.add(new OnnxOperator(
                    onnx,
                    name,
                    operator.getOp(),
                    operands.stream().map(this::valueOf).toList(),
                    operands.stream().map(shapes::get).toList()));
        }
        return variable.getVariableType() == VariableType.CONSTANT
                ? constant(name, variable.getArr())
                : parameters.apply(name);
    }

    private String constant(String name, INDArray array) {
        INDArray ordered = array.dup('c');
        return array.dataType().isFPType()
                ? onnx.constant(name, ordered.data().asFloat(), array.shape())
                : onnx.constant(name, ordered.data().asLong(), array.shape());
    }

    private String reshaped(String value, String name, long... shape) {
        return onnx.node("Reshape", List.of(value, onnx.constant(name + "/shape", shape, shape.length)));
    }
}
