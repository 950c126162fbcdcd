package dev.edl.runtime.onnx;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An ONNX graph that is being built: inputs, constants, nodes and outputs, by names of values. For one thread.
 *
 * <p>It writes the messages of ONNX's {@code onnx.proto3}, IR version {@value #IR_VERSION}, operators of set
 * {@value #OPERATOR_SET}. Operators and attributes have the names of the
 * ONNX operator schemas.
 *
 * <pre>{@code
 * String kernel = graph.constant("dense/kernel", values, 64, 10);
 * String scores = graph.node("MatMul", List.of("features", kernel));
 * String probabilities = graph.node("Softmax", List.of(scores), Map.of("axis", 1L));
 * }</pre>
 */
public final class OnnxGraph {
    /** Version of the file format. */
    public static final int IR_VERSION = 7;

    /** Version of the set of operators. */
    public static final int OPERATOR_SET = 13;

    /** Size of the first dimension of inputs and outputs: any number of records. */
    public static final long BATCH = -1;

    private static final int FLOAT = 1;
    private static final int INT64 = 7;

    // Values of AttributeProto.AttributeType.
    private static final int NUMBER = 1;
    private static final int INTEGER = 2;
    private static final int TEXT = 3;
    private static final int INTEGERS = 7;

    private final String name;
    private final List<ProtoMessage> nodes = new ArrayList<>();
    private final List<ProtoMessage> constants = new ArrayList<>();
    private final List<ProtoMessage> inputs = new ArrayList<>();
    private final List<ProtoMessage> outputs = new ArrayList<>();
    private final Map<String, String> metadata = new LinkedHashMap<>();
    private final Set<String> names = new HashSet<>();
    private long size;
    private int values;

    /** Starts an empty graph. */
    public OnnxGraph(String name) {
        this.name = name;
    }

    /** Declares an input of floats, for example of shape {@code [BATCH, 64]}. */
    public void floats(String input, long... shape) {
        unique(input);
        inputs.add(value(input, FLOAT, shape));
    }

    /** Declares an input of 64-bit integers. */
    public void longs(String input, long... shape) {
        unique(input);
        inputs.add(value(input, INT64, shape));
    }

    /** Declares a value as an output of floats. */
    public void output(String value, String output, long... shape) {
        nodes.add(new ProtoMessage().text(1, value).text(2, output).text(4, "Identity"));
        unique(output);
        outputs.add(value(output, FLOAT, shape));
    }

    private void unique(String value) {
        if (!names.add(value)) {
            throw new IllegalArgumentException("values of an ONNX graph must have different names, was \"" + value
                    + "\" twice; rename the parameter, table or constant");
        }
    }

    private static ProtoMessage value(String name, int type, long... shape) {
        ProtoMessage dimensions = new ProtoMessage();
        for (long dimension : shape) {
            dimensions.message(
                    1,
                    dimension == BATCH
                            ? new ProtoMessage().text(2, "batch")
                            : new ProtoMessage().integer(1, dimension));
        }
        ProtoMessage tensor = new ProtoMessage().integer(1, type).message(2, dimensions);
        return new ProtoMessage().text(1, name).message(2, new ProtoMessage().message(1, tensor));
    }

    /** Adds a constant of floats in row-major order, and returns its name. */
    public String constant(String constant, float[] content, long... shape) {
        ByteBuffer bytes =
                ByteBuffer.allocate(bytes(content.length, Float.BYTES)).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(content);
        return constant(constant, FLOAT, bytes.array(), shape);
    }

    /** Adds a constant of 64-bit integers in row-major order, and returns its name. */
    public String constant(String constant, long[] content, long... shape) {
        ByteBuffer bytes =
                ByteBuffer.allocate(bytes(content.length, Long.BYTES)).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asLongBuffer().put(content);
        return constant(constant, INT64, bytes.array(), shape);
    }

    private int bytes(long count, int each) {
        size += count * each;
        // A message of Protocol Buffers has at most 2 GiB.
        if (size > Integer.MAX_VALUE / 2) {
            throw new IllegalArgumentException("an ONNX file of EDL has at most 1 GiB of parameters, " + name
                    + " has more than " + size + " bytes");
        }
        return Math.toIntExact(count * each);
    }

    private String constant(String constant, int type, byte[] bytes, long... shape) {
        ProtoMessage tensor = new ProtoMessage();
        for (long dimension : shape) {
            tensor.integer(1, dimension);
        }
        unique(constant);
        constants.add(tensor.integer(2, type).text(8, constant).raw(9, bytes));
        return constant;
    }

    /** Adds a node without attributes, and returns the name of its value. */
    public String node(String operator, List<String> operands) {
        return node(operator, operands, Map.of());
    }

    /**
     * Adds a node, and returns the name of its value.
     *
     * @param attributes values by name: {@code Long}, {@code Float}, {@code String} or {@code List<Long>}
     */
    public String node(String operator, List<String> operands, Map<String, ?> attributes) {
        String value;
        do {
            value = operator + "_" + values++;
        } while (!names.add(value));
        ProtoMessage node = new ProtoMessage();
        operands.forEach(operand -> node.text(1, operand));
        node.text(2, value).text(3, value).text(4, operator);
        attributes.forEach((key, attribute) -> node.message(5, attribute(key, attribute)));
        nodes.add(node);
        return value;
    }

    private static ProtoMessage attribute(String key, Object value) {
        ProtoMessage attribute = new ProtoMessage().text(1, key);
        if (value instanceof Float number) {
            return attribute.number(2, number).integer(20, NUMBER);
        }
        if (value instanceof Long integer) {
            return attribute.integer(3, integer).integer(20, INTEGER);
        }
        if (value instanceof List<?> integers) {
            integers.forEach(each -> attribute.integer(8, (Long) each));
            return attribute.integer(20, INTEGERS);
        }
        if (value instanceof String text) {
            return attribute.text(4, text).integer(20, TEXT);
        }
        throw new IllegalArgumentException(
                "attribute " + key + " must be a Long, a Float, a String or a List<Long>, was " + value);
    }

    /** Adds a text that readers can look up by its key. */
    public void metadata(String key, String value) {
        metadata.put(key, value);
    }

    /**
     * Returns the file's bytes.
     *
     * @param producer version of the program that writes it
     * @param description text for people
     */
    byte[] toBytes(String producer, String description) {
        ProtoMessage graph = new ProtoMessage();
        nodes.forEach(node -> graph.message(1, node));
        graph.text(2, name);
        constants.forEach(constant -> graph.message(5, constant));
        inputs.forEach(input -> graph.message(11, input));
        outputs.forEach(output -> graph.message(12, output));
        ProtoMessage model = new ProtoMessage()
                .integer(1, IR_VERSION)
                .text(2, "EDL")
                .text(3, producer)
                .text(6, description)
                .message(7, graph)
                .message(8, new ProtoMessage().text(1, "").integer(2, OPERATOR_SET));
        metadata.forEach((key, value) ->
                model.message(14, new ProtoMessage().text(1, key).text(2, value)));
        return model.toBytes();
    }

    /** Returns the text for people: the name. */
    @Override
    public String toString() {
        return name;
    }
}
