package dev.edl.runtime.zoo.internal.graph;

import dev.edl.runtime.onnx.OnnxGraph;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.nd4j.autodiff.functions.DifferentialFunction;
import org.nd4j.linalg.api.ops.CustomOp;

/**
 * Operator of a SameDiff graph that is being written as ONNX nodes.
 *
 * @param variable the variable that it computes
 * @param operands ONNX values of its operands
 * @param shapes shapes of the operands for some number of records
 */
record OnnxOperator(
        OnnxGraph onnx, String variable, DifferentialFunction function, List<String> operands, List<long[]> shapes) {
    String first() {
        return operands.get(0);
    }

    int rank() {
        return shapes.get(0).length;
    }

    /** Returns the whole numbers that define the operator, such as axes. */
    long[] integers() {
        return function instanceof CustomOp custom ? custom.iArgs() : new long[0];
    }

    /** Returns one of the whole numbers, or a default if the operator has fewer. */
    long integer(int index, long none) {
        long[] integers = integers();
        return index < integers.length ? integers[index] : none;
    }

    /** Returns one of the fractions, or a default if the operator has fewer. */
    float fraction(int index, double none) {
        double[] numbers = function instanceof CustomOp custom ? custom.tArgs() : new double[0];
        return (float) (index < numbers.length ? numbers[index] : none);
    }

    String node(String operator, String... values) {
        return onnx.node(operator, List.of(values));
    }

    String node(String operator, List<String> values, Map<String, ?> attributes) {
        return onnx.node(operator, values, attributes);
    }

    String number(String role, float value) {
        return onnx.constant(variable + "/" + role, new float[] {value});
    }

    String constant(String role, long... values) {
        return onnx.constant(variable + "/" + role, values, values.length);
    }

    String transposed(String value, long... axes) {
        return node(
                "Transpose",
                List.of(value),
                Map.of("perm", LongStream.of(axes).boxed().toList()));
    }

    /** Refuses an operator in a form without an ONNX counterpart. */
    void require(boolean condition, String form, Object was) {
        if (!condition) {
            throw refusal(", unless " + form + "; was " + was);
        }
    }

    IllegalArgumentException refusal(String detail) {
        return new IllegalArgumentException("operator " + function.opName() + ", which computes the variable \""
                + variable + "\", has no ONNX counterpart" + detail);
    }

    /** Returns, for example, {@code conv2d [3, 3, 1, 1] of "scores"}. */
    @Override
    public String toString() {
        return function.opName() + " " + Arrays.toString(integers()) + " of \"" + variable + "\"";
    }
}
