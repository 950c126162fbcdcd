package dev.edl.runtime.zoo.internal.graph;

import dev.edl.runtime.onnx.OnnxFile;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * ONNX node that is being added to a SameDiff graph.
 *
 * @param values all values computed so far
 */
record OnnxNode(SameDiff graph, OnnxFile.Node node, long operatorSet, OnnxValues values) {
    /** Returns the number of operands; one that is omitted at the end does not count. */
    int operands() {
        List<String> names = node.operands();
        int count = names.size();
        while (count > 0 && names.get(count - 1).isEmpty()) {
            count--;
        }
        return count;
    }

    private String name(int index) {
        List<String> names = node.operands();
        require(index < names.size(), "needs at least " + (index + 1) + " operands, has " + names.size());
        return names.get(index);
    }

    SDVariable operand(int index) {
        SDVariable variable = values.find(name(index));
        OnnxFile.Tensor constant = values.constant(name(index));
        require(
                variable != null,
                "has the operand \"" + name(index) + "\", which is no value of floats"
                        + (constant == null ? "" : ", but " + constant));
        return Objects.requireNonNull(variable);
    }

    /** Returns the values of an operand that does not depend on the features, as a constant. */
    SDVariable fixed(int index) {
        require(!isComputed(index), "has an operand \"" + name(index) + "\" that depends on the features");
        SDVariable variable = operand(index);
        INDArray array = variable.getArr();
        return graph.constant((array == null ? variable.eval() : array).dup());
    }

    /** Returns the shape of an operand for 2 records. */
    long[] shape(int index) {
        return values.shape(name(index));
    }

    /** Returns whether an operand depends on the features. */
    boolean isComputed(int index) {
        return values.isComputed(name(index));
    }

    /** Returns the elements of an operand that is a constant of integers. */
    long[] integersOf(int index) {
        OnnxFile.Tensor constant = values.constant(name(index));
        long[] integers = constant == null ? null : constant.longs();
        if (integers == null) {
            throw refusal("must have a constant of integers as operand \"" + name(index) + "\"");
        }
        return integers;
    }

    /** Returns a limit: a constant operand, or an attribute of older operator sets. */
    double limit(int index, String attribute, double none) {
        if (index >= node.operands().size() || node.operands().get(index).isEmpty()) {
            return number(attribute, (float) none);
        }
        OnnxFile.Tensor constant = values.constant(name(index));
        float[] floats = constant == null ? null : constant.floats();
        require(floats != null && floats.length == 1, "must have one constant float as \"" + attribute + "\"");
        return Objects.requireNonNull(floats)[0];
    }

    /** Returns the axes, not negative and in order: an attribute, or the second operand; none if there are none. */
    int[] axes(int rank) {
        return LongStream.of(givenAxes())
                .mapToInt(axis -> axisOfRecord(Math.toIntExact(axis), rank))
                .sorted()
                .toArray();
    }

    /** Returns the axes as the file has them. */
    long[] givenAxes() {
        if (node.attributes().containsKey("axes")) {
            return integers("axes");
        }
        return operands() > 1 ? integersOf(1) : new long[0];
    }

    int axis(int axis, int rank) {
        require(axis >= -rank && axis < rank, "has axis " + axis + " of a value of rank " + rank);
        return axis < 0 ? axis + rank : axis;
    }

    /** Refuses an axis of a value that depends on the features if it is that of the records. */
    int axisOfRecord(int axis, int rank) {
        int positive = axis(axis, rank);
        require(
                positive > 0 || IntStream.range(0, operands()).noneMatch(this::isComputed),
                "mixes records: its axis is 0");
        return positive;
    }

    private <T> @Nullable T attribute(String attribute, Class<T> type) {
        Object value = node.attributes().get(attribute);
        require(value == null || type.isInstance(value), "has an attribute " + attribute + " of another type");
        return type.cast(value);
    }

    long integer(String attribute, long none) {
        Long value = attribute(attribute, Long.class);
        return value == null ? none : value;
    }

    float number(String attribute, float none) {
        Float value = attribute(attribute, Float.class);
        return value == null ? none : value;
    }

    String text(String attribute, String none) {
        String value = attribute(attribute, String.class);
        return value == null ? none : value;
    }

    long[] integers(String attribute, long... none) {
        List<?> value = attribute(attribute, List.class);
        return value == null
                ? none
                : value.stream().mapToLong(each -> (Long) each).toArray();
    }

    void require(boolean condition, String fault) {
        if (!condition) {
            throw refusal(fault);
        }
    }

    RefusedException refusal(String fault) {
        return new RefusedException("node " + node + ": " + fault);
    }

    RefusedException incomputable(RuntimeException cause) {
        return refusal("SameDiff cannot compute it from operands of shapes "
                + IntStream.range(0, operands())
                        .mapToObj(i -> Arrays.toString(shape(i)))
                        .toList() + ": "
                + cause.getMessage());
    }

    /** Thrown when EDL does not read a node, or not in its form. */
    static final class RefusedException extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        RefusedException(String message) {
            super(message);
        }
    }

    /** Returns the text of the node. */
    @Override
    public String toString() {
        return node.toString();
    }
}
