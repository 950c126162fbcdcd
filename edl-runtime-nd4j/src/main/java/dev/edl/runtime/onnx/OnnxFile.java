package dev.edl.runtime.onnx;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Content of an ONNX file: inputs, constants, nodes and outputs of its graph, by names of values. Immutable.
 *
 * <p>It reads the messages of ONNX's {@code onnx.proto3}. Constants have elements if they are FLOAT, INT32 or INT64.
 *
 * <pre>{@code
 * OnnxFile file = OnnxFile.read(Path.of("digits.onnx"));
 * file.nodes().get(0).operator();          // "Gemm"
 * }</pre>
 */
public final class OnnxFile {
    private static final int FLOAT = 1;
    private static final int INT32 = 6;
    private static final int INT64 = 7;
    private static final List<String> TYPES = List.of(
            "UNDEFINED",
            "FLOAT",
            "UINT8",
            "INT8",
            "UINT16",
            "INT16",
            "INT32",
            "INT64",
            "STRING",
            "BOOL",
            "FLOAT16",
            "DOUBLE",
            "UINT32",
            "UINT64",
            "COMPLEX64",
            "COMPLEX128",
            "BFLOAT16");

    private final List<Input> inputs = new ArrayList<>();
    private final List<String> outputs = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final Map<String, Tensor> constants = new LinkedHashMap<>();
    private final String checksum;
    private long operatorSet;

    /**
     * An input of the graph.
     *
     * @param floats whether its elements are floats
     * @param shape sizes of its dimensions; {@link OnnxGraph#BATCH} for a variable one
     */
    public record Input(String name, boolean floats, List<Long> shape) {}

    /**
     * A node of the graph.
     *
     * @param operands names of values; empty for an omitted one
     * @param attributes values by name: {@code Long}, {@code Float}, {@code String}, {@code List<Long>} or
     *     {@link Tensor}
     */
    public record Node(
            String operator, String name, List<String> operands, List<String> results, Map<String, Object> attributes) {
        /** Returns, for example, {@code Gemm "fc1", which computes "scores"}. */
        @Override
        public String toString() {
            return operator + (name.isEmpty() ? "" : " \"" + name + "\"") + ", which computes \""
                    + String.join("\", \"", results) + "\"";
        }
    }

    /** A constant: its elements in row-major order. */
    public static final class Tensor {
        private final String type;
        private final long[] shape;
        private final float @Nullable [] floats;
        private final long @Nullable [] longs;

        private Tensor(String type, long[] shape, float @Nullable [] floats, long @Nullable [] longs) {
            this.type = type;
            this.shape = shape;
            this.floats = floats;
            this.longs = longs;
        }

        private int count() {
            if (floats != null) {
                return floats.length;
            }
            return longs == null ? 0 : longs.length;
        }

        /** Returns the sizes of the dimensions; none for a scalar. */
        public long[] shape() {
            return shape.clone();
        }

        /** Returns the elements of a constant of floats; null for one of another type. */
        public float @Nullable [] floats() {
            return floats == null ? null : floats.clone();
        }

        /** Returns the elements of a constant of integers; null for one of another type. */
        public long @Nullable [] longs() {
            return longs == null ? null : longs.clone();
        }

        /** Returns type and shape, for example {@code FLOAT [64, 10]}. */
        @Override
        public String toString() {
            return type + " " + Arrays.toString(shape);
        }
    }

    private OnnxFile(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        this.checksum = Long.toHexString(crc.getValue());
    }

    /**
     * Reads a file.
     *
     * @throws IOException when the file cannot be read
     * @throws IllegalArgumentException when it is no ONNX file, or has content that this class does not read
     */
    public static OnnxFile read(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        try {
            return of(bytes);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + " cannot be read as an ONNX file: " + e.getMessage(), e);
        }
    }

    /**
     * Reads the bytes of a file.
     *
     * @throws IllegalArgumentException when it is no ONNX file, or has content that this class does not read
     */
    public static OnnxFile of(byte[] bytes) {
        OnnxFile file = new OnnxFile(bytes);
        ProtoReader graph = null;
        for (ProtoReader model = ProtoReader.of(bytes); model.next(); ) {
            switch (model.field()) {
                case 7 -> graph = model.message();
                case 8 -> file.operators(model.message());
                case 25 -> throw new IllegalArgumentException("it has functions of its own; export it without them");
                default -> {}
            }
        }
        if (graph == null || file.operatorSet == 0) {
            throw new IllegalArgumentException("it has no graph or no operator set");
        }
        file.graph(graph);
        return file;
    }

    private void operators(ProtoReader set) {
        String domain = "";
        long version = 0;
        while (set.next()) {
            switch (set.field()) {
                case 1 -> domain = set.text();
                case 2 -> version = set.integer();
                default -> {}
            }
        }
        if (domain.isEmpty() || domain.equals("ai.onnx")) {
            operatorSet = version;
        }
    }

    private void graph(ProtoReader graph) {
        while (graph.next()) {
            switch (graph.field()) {
                case 1 -> nodes.add(node(graph.message()));
                case 5 -> {
                    NamedTensor constant = tensor(graph.message());
                    constants.put(constant.name, constant.tensor);
                }
                case 11 -> inputs.add(input(graph.message()));
                case 12 -> outputs.add(input(graph.message()).name);
                case 15 -> throw new IllegalArgumentException("it has sparse constants; only dense ones are read");
                default -> {}
            }
        }
        // Files of IR version 3 list the constants as inputs too.
        inputs.removeIf(input -> constants.containsKey(input.name));
    }

    private static Input input(ProtoReader value) {
        String name = "";
        long type = 0;
        List<Long> shape = new ArrayList<>();
        while (value.next()) {
            if (value.field() == 1) {
                name = value.text();
            } else if (value.field() == 2) {
                ProtoReader kind = value.message();
                while (kind.next()) {
                    if (kind.field() == 1) {
                        type = tensorType(kind.message(), shape);
                    }
                }
            }
        }
        return new Input(name, type == FLOAT, List.copyOf(shape));
    }

    private static long tensorType(ProtoReader tensor, List<Long> shape) {
        long type = 0;
        while (tensor.next()) {
            if (tensor.field() == 1) {
                type = tensor.integer();
            } else if (tensor.field() == 2) {
                ProtoReader dimensions = tensor.message();
                while (dimensions.next()) {
                    if (dimensions.field() == 1) {
                        shape.add(dimension(dimensions.message()));
                    }
                }
            }
        }
        return type;
    }

    private static long dimension(ProtoReader dimension) {
        long size = OnnxGraph.BATCH;
        while (dimension.next()) {
            if (dimension.field() == 1) {
                size = dimension.integer();
            }
        }
        return size;
    }

    private static Node node(ProtoReader node) {
        String name = "";
        String operator = "";
        String domain = "";
        List<String> operands = new ArrayList<>();
        List<String> results = new ArrayList<>();
        Map<String, Object> attributes = new HashMap<>();
        while (node.next()) {
            switch (node.field()) {
                case 1 -> operands.add(node.text());
                case 2 -> results.add(node.text());
                case 3 -> name = node.text();
                case 4 -> operator = node.text();
                case 5 -> attribute(node.message(), attributes);
                case 7 -> domain = node.text();
                default -> {}
            }
        }
        String prefix = domain.isEmpty() || domain.equals("ai.onnx") ? "" : domain + ".";
        return new Node(prefix + operator, name, List.copyOf(operands), List.copyOf(results), Map.copyOf(attributes));
    }

    private static void attribute(ProtoReader attribute, Map<String, Object> attributes) {
        String name = "";
        Object value = null;
        long type = 0;
        List<Long> integers = new ArrayList<>();
        while (attribute.next()) {
            switch (attribute.field()) {
                case 1 -> name = attribute.text();
                case 2 -> value = attribute.number();
                case 3 -> value = attribute.integer();
                case 4 -> value = attribute.text();
                case 5 -> value = tensor(attribute.message()).tensor;
                case 8 -> attribute.integers(integers::add);
                case 20 -> type = attribute.integer();
                default -> {}
            }
        }
        if (value == null) {
            // A writer may omit a value of 0, and a list without elements.
            value = type == 1 ? (Object) 0f : type == 2 ? (Object) 0L : List.copyOf(integers);
        }
        attributes.put(name, value);
    }

    private record NamedTensor(String name, Tensor tensor) {}

    private static NamedTensor tensor(ProtoReader tensor) {
        List<Long> shape = new ArrayList<>();
        List<Float> floats = new ArrayList<>();
        List<Long> longs = new ArrayList<>();
        String name = "";
        byte[] raw = null;
        int type = 0;
        boolean external = false;
        while (tensor.next()) {
            switch (tensor.field()) {
                case 1 -> tensor.integers(shape::add);
                case 2 -> type = (int) tensor.integer();
                case 4 -> floats.addAll(tensor.numbers());
                case 5, 7 -> tensor.integers(longs::add);
                case 8 -> name = tensor.text();
                case 9 -> raw = tensor.raw();
                case 14 -> external = tensor.integer() == 1;
                default -> {}
            }
        }
        String constant = "constant \"" + name + "\"";
        if (external) {
            throw new IllegalArgumentException(
                    constant + " is in a file of its own; save the model with all constants in one file");
        }
        long[] sizes = shape.stream().mapToLong(Long::longValue).toArray();
        String typeName = type >= 0 && type < TYPES.size() ? TYPES.get(type) : "type " + type;
        if (type != FLOAT && type != INT32 && type != INT64) {
            // The needed nodes may do without it, as without the names of classes.
            return new NamedTensor(name, new Tensor(typeName, sizes, null, null));
        }
        long count = 1;
        for (long size : shape) {
            if (size < 0 || size > Integer.MAX_VALUE || count * size > Integer.MAX_VALUE) {
                throw new IllegalArgumentException(constant + " has shape " + shape + ", too large for an array");
            }
            count *= size;
        }
        Tensor content = content(typeName, sizes, raw, floats, longs);
        long found = content.count();
        if (found != count) {
            throw new IllegalArgumentException(
                    constant + " of shape " + shape + " must have " + count + " elements, had " + found);
        }
        return new NamedTensor(name, content);
    }

    private static Tensor content(
            String type, long[] sizes, byte @Nullable [] raw, List<Float> floats, List<Long> longs) {
        ByteBuffer bytes = raw == null ? null : ByteBuffer.wrap(raw).order(ByteOrder.LITTLE_ENDIAN);
        if (type.equals("FLOAT")) {
            float[] values = new float[bytes == null ? floats.size() : bytes.remaining() / Float.BYTES];
            for (int i = 0; i < values.length; i++) {
                values[i] = bytes == null ? floats.get(i) : bytes.getFloat();
            }
            return new Tensor(type, sizes, values, null);
        }
        boolean small = type.equals("INT32");
        int width = small ? Integer.BYTES : Long.BYTES;
        long[] values = new long[bytes == null ? longs.size() : bytes.remaining() / width];
        for (int i = 0; i < values.length; i++) {
            values[i] = bytes == null ? longs.get(i) : small ? bytes.getInt() : bytes.getLong();
        }
        return new Tensor(type, sizes, null, values);
    }

    /** Returns the version of the operator set, for example 13. */
    public long operatorSet() {
        return operatorSet;
    }

    /** Returns the CRC-32C of the file's bytes, in hexadecimal digits. */
    public String checksum() {
        return checksum;
    }

    /** Returns the inputs that are not constants, in the order of the file. */
    public List<Input> inputs() {
        return List.copyOf(inputs);
    }

    /** Returns the names of the outputs, in the order of the file. */
    public List<String> outputs() {
        return List.copyOf(outputs);
    }

    /** Returns the nodes; each is after those that compute its operands. */
    public List<Node> nodes() {
        return List.copyOf(nodes);
    }

    /** Returns the constants by name. */
    public Map<String, Tensor> constants() {
        return Map.copyOf(constants);
    }

    /** Returns the text for people: the numbers of nodes and constants. */
    @Override
    public String toString() {
        return "ONNX graph of " + nodes.size() + " nodes and " + constants.size() + " constants";
    }
}
