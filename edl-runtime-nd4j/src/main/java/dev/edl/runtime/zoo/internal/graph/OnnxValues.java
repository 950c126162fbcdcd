package dev.edl.runtime.zoo.internal.graph;

import dev.edl.runtime.onnx.OnnxFile;
import dev.edl.runtime.onnx.OnnxGraph;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/** Values of an ONNX graph that is being added to a SameDiff graph, by name. */
final class OnnxValues {
    private static final long RECORDS = 2;

    private final SameDiff graph = SameDiff.create();
    private final Map<String, OnnxFile.Tensor> constants;
    private final Map<String, SDVariable> variables = new HashMap<>();
    private final Set<String> computed = new HashSet<>();
    /** Shapes for 2 records that earlier graphs of the same file have found. */
    private final Map<String, long[]> shapes;

    private final OnnxFile.Input input;

    OnnxValues(OnnxFile.Input input, Map<String, OnnxFile.Tensor> constants, Map<String, long[]> shapes) {
        this.input = input;
        this.constants = constants;
        this.shapes = shapes;
        // A file may fix the number of records, although its nodes take any.
        compute(input.name(), graph.placeHolder(input.name(), DataType.FLOAT, inputShape(OnnxGraph.BATCH)));
    }

    SameDiff graph() {
        return graph;
    }

    /** Adds a constant of floats as a variable: a trained parameter, or one that stays as it is. */
    void add(String name, OnnxFile.Tensor constant, boolean trained) {
        float[] floats = Objects.requireNonNull(constant.floats());
        INDArray array = constant.shape().length == 0
                ? Nd4j.scalar(floats[0])
                : Nd4j.createFromArray(floats).reshape('c', constant.shape());
        variables.put(name, trained ? graph.var(name, array) : graph.constant(name, array));
    }

    /** Sets the variable of a value that depends on the features. */
    void compute(String name, SDVariable variable) {
        variables.put(name, variable);
        computed.add(name);
    }

    /** Sets the variable of a value that depends on constants alone. */
    void derive(String name, SDVariable variable) {
        variables.put(name, variable);
    }

    /** Returns the variable of a value of floats; null if there is none. */
    @Nullable
    SDVariable find(String name) {
        return variables.get(name);
    }

    /** Returns the variable of a value of floats. */
    SDVariable variable(String name) {
        SDVariable variable = find(name);
        if (variable == null) {
            throw new IllegalArgumentException("no node computes the value \"" + name + "\"");
        }
        return variable;
    }

    OnnxFile.@Nullable Tensor constant(String name) {
        return constants.get(name);
    }

    boolean isComputed(String name) {
        return computed.contains(name);
    }

    /** Returns the elements of a value for some records. */
    float[] compute(String name, float[] features, int records) {
        INDArray array = Nd4j.createFromArray(features).reshape('c', inputShape(records));
        return output(variable(name), array).dup('c').data().asFloat();
    }

    private long[] inputShape(long records) {
        long[] shape = input.shape().stream().mapToLong(Long::longValue).toArray();
        shape[0] = records;
        return shape;
    }

    private INDArray output(SDVariable variable, INDArray features) {
        String name = variable.name();
        return Objects.requireNonNull(
                graph.output(Map.of(input.name(), features), name).get(name));
    }

    /** Returns the shape of a value for 2 records. */
    long[] shape(String name) {
        long[] known = shapes.get(name);
        if (known == null) {
            SDVariable variable = variable(name);
            INDArray array = variable.getArr();
            if (array == null) {
                array = output(variable, Nd4j.zeros(DataType.FLOAT, inputShape(RECORDS)));
            }
            known = array.shape();
            shapes.put(name, known);
        }
        return known.clone();
    }

    /** Returns the text for people: the number of variables. */
    @Override
    public String toString() {
        return variables.size() + " values of an ONNX graph";
    }
}
