package dev.edl.runtime.zoo.internal.graph;

import dev.edl.runtime.onnx.OnnxFile;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;

/** SameDiff graphs of an ONNX file's network, from its input of floats to its output. Safe for several threads. */
public final class OnnxImport {
    /** Operands that are parameters, by operator; those of an Add depend on the other operand. */
    private static final Map<String, List<Integer>> PARAMETERS = Map.of(
            "Gemm", List.of(1, 2),
            "MatMul", List.of(0, 1),
            "Conv", List.of(1, 2),
            "BatchNormalization", List.of(1, 2));

    private static final Set<String> LINEAR = Set.of("Gemm", "MatMul", "Conv");
    /** Operators between a constant and the operator that it is a parameter of. */
    private static final Set<String> FORMS = Set.of("Identity", "Transpose", "Reshape", "Squeeze", "Unsqueeze");

    private static final long MOST_FEATURES = 100_000_000;
    /** Difference of two outputs of the same records, relative to the largest output; rounding is below 1e-5. */
    private static final float TOLERANCE = 1e-3f;

    private final OnnxFile file;
    private final OnnxFile.Input input;
    private final String output;
    private final Map<String, OnnxFile.Node> producers = new HashMap<>();
    private final Map<String, OnnxFile.Tensor> constants;
    private final Set<String> parameters = new HashSet<>();
    private final List<OnnxFile.Node> nodes;
    private final Map<String, long[]> shapes = new ConcurrentHashMap<>();
    private volatile boolean separate;

    /**
     * A graph of the network.
     *
     * @param output variable of the network's output
     * @param outputs number of floats in the output of a record
     */
    public record Network(SameDiff graph, SDVariable output, long outputs) {}

    /**
     * Checks the file, and adds its network to a first graph.
     *
     * @param named output of the file
     * @param last operators that the network leaves out if its output is theirs: an activation that the loss contains
     * @throws IllegalArgumentException when EDL has no counterpart of the network; the message names the node
     */
    public OnnxImport(OnnxFile file, String named, Set<String> last) {
        this.file = file;
        this.input = input(file);
        this.constants = new HashMap<>(file.constants());
        for (OnnxFile.Node node : file.nodes()) {
            if (node.operator().equals("Constant")) {
                node.results().forEach(result -> constants.put(result, constant(node)));
            } else {
                node.results().forEach(result -> producers.put(result, node));
            }
        }
        requireOrder(file);
        this.output = output(named, last);
        this.nodes = needed();
        nodes.forEach(OnnxNodes::requireKnown);
        nodes.forEach(this::findParameters);
        if (parameters.isEmpty()) {
            throw new IllegalArgumentException("the network has no parameters: no constant of floats is an operand of "
                    + String.join(", ", LINEAR.stream().sorted().toList()));
        }
    }

    private static OnnxFile.Input input(OnnxFile file) {
        List<OnnxFile.Input> inputs = file.inputs();
        if (inputs.size() != 1 || !inputs.get(0).floats()) {
            throw new IllegalArgumentException("the network must have one input of floats, had "
                    + inputs.stream()
                            .map(each -> each.name() + (each.floats() ? "" : " (no floats)"))
                            .toList()
                    + "; a network with ids is trained with EDL's embedding tables");
        }
        OnnxFile.Input input = inputs.get(0);
        List<Long> shape = input.shape();
        if (shape.size() < 2 || shape.stream().skip(1).anyMatch(size -> size < 1)) {
            throw new IllegalArgumentException("input \"" + input.name()
                    + "\" must have the shape [records, size, ...], whose sizes are fixed, had " + shape);
        }
        if (shape.stream().skip(1).mapToDouble(Long::doubleValue).reduce(1, (a, b) -> a * b) > MOST_FEATURES) {
            throw new IllegalArgumentException("input \"" + input.name() + "\" must have at most " + MOST_FEATURES
                    + " floats a record, had the shape " + shape);
        }
        return input;
    }

    /** Checks that each node is after the nodes that compute its operands, so that no node depends on itself. */
    private void requireOrder(OnnxFile file) {
        Set<String> before = new HashSet<>();
        for (OnnxFile.Node node : file.nodes()) {
            for (String operand : node.operands()) {
                if (producers.containsKey(operand) && !before.contains(operand)) {
                    throw new IllegalArgumentException(
                            "node " + node + ": is before the node that computes its operand \"" + operand
                                    + "\"; a file must have its nodes in the order of computation");
                }
            }
            before.addAll(node.results());
        }
    }

    private static OnnxFile.Tensor constant(OnnxFile.Node node) {
        if (node.attributes().get("value") instanceof OnnxFile.Tensor tensor) {
            return tensor;
        }
        throw new IllegalArgumentException("node " + node + ": must have an attribute value with a tensor");
    }

    /** Returns the output, or the operand of the activation that computes it. */
    private String output(String name, Set<String> last) {
        OnnxFile.Node node = producers.get(name);
        while (node != null && node.operator().equals("Identity")) {
            name = first(node);
            node = producers.get(name);
        }
        return node != null && last.contains(node.operator()) ? first(node) : name;
    }

    private static String first(OnnxFile.Node node) {
        if (node.operands().isEmpty()) {
            throw new IllegalArgumentException("node " + node + ": has too few operands");
        }
        return node.operands().get(0);
    }

    /** Returns the nodes that compute the output, in the order of the file. */
    private List<OnnxFile.Node> needed() {
        Set<OnnxFile.Node> needed = new HashSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(output));
        while (!open.isEmpty()) {
            OnnxFile.Node node = producers.get(open.remove());
            if (node != null && needed.add(node)) {
                open.addAll(node.operands());
            }
        }
        return file.nodes().stream().filter(needed::contains).toList();
    }

    private void findParameters(OnnxFile.Node node) {
        List<String> operands = node.operands();
        for (int index : PARAMETERS.getOrDefault(node.operator(), List.of())) {
            if (index < operands.size()) {
                addParameter(operands.get(index));
            }
        }
        if (node.operator().equals("Add") && operands.stream().anyMatch(this::isLinear)) {
            operands.forEach(this::addParameter);
        }
    }

    private boolean isLinear(String value) {
        OnnxFile.Node producer = producers.get(value);
        return producer != null && LINEAR.contains(producer.operator());
    }

    private void addParameter(String value) {
        String name = value;
        OnnxFile.Node producer = producers.get(name);
        while (producer != null && FORMS.contains(producer.operator())) {
            name = first(producer);
            producer = producers.get(name);
        }
        OnnxFile.Tensor constant = constants.get(name);
        if (constant != null && constant.floats() == null && constant.longs() == null) {
            throw new IllegalArgumentException("parameter \"" + name + "\" must be FLOAT, was " + constant);
        }
        if (constant != null && constant.floats() != null) {
            parameters.add(name);
        }
    }

    /** Returns a new graph of the network; the parameters have the values of the file. */
    public Network network() {
        OnnxValues values = new OnnxValues(input, constants, shapes);
        // Before all nodes, whose variables get names that SameDiff makes.
        for (String operand : nodes.stream()
                .flatMap(node -> node.operands().stream())
                .distinct()
                .toList()) {
            OnnxFile.Tensor constant = constants.get(operand);
            float[] floats = constant == null ? null : constant.floats();
            if (constant != null && floats != null && floats.length > 0) {
                values.add(operand, constant, parameters.contains(operand));
            }
        }
        for (OnnxFile.Node node : nodes) {
            SDVariable variable = add(node, values);
            String result = node.results().get(0);
            if (node.operands().stream().anyMatch(values::isComputed)) {
                values.compute(result, variable);
            } else {
                values.derive(result, variable);
            }
        }
        long[] shape = shape(values);
        if (shape.length != 2 || !values.isComputed(output)) {
            throw new IllegalArgumentException("output \"" + output
                    + "\" must be float [batch, outputs], computed from \"" + input.name() + "\"; had "
                    + shape.length + " dimensions");
        }
        if (!separate) {
            requireSeparateRecords(values);
            separate = true;
        }
        return new Network(values.graph(), values.variable(output), shape[1]);
    }

    private SDVariable add(OnnxFile.Node node, OnnxValues values) {
        try {
            return OnnxNodes.add(of(node, values));
        } catch (OnnxNode.RefusedException refusal) {
            throw refusal;
        } catch (RuntimeException e) {
            requireComputable(nodes.subList(0, nodes.indexOf(node)), values);
            throw of(node, values).incomputable(e);
        }
    }

    /** Checks that the output of two records is the same beside a third record. */
    private void requireSeparateRecords(OnnxValues values) {
        int size = Math.toIntExact(
                input.shape().stream().skip(1).mapToLong(Long::longValue).reduce(1, Math::multiplyExact));
        float[] features = new float[3 * size];
        Random random = new Random(3);
        for (int i = 0; i < features.length; i++) {
            features[i] = random.nextFloat() - 0.5f;
        }
        float[] two = values.compute(output, Arrays.copyOf(features, 2 * size), 2);
        float[] three;
        try {
            three = values.compute(output, features, 3);
        } catch (RuntimeException e) {
            throw mixed();
        }
        float most = 1;
        for (float each : two) {
            most = Math.max(most, Math.abs(each));
        }
        if (three.length * 2L != two.length * 3L) {
            throw mixed();
        }
        for (int i = 0; i < two.length; i++) {
            if (Math.abs(two[i] - three[i]) > TOLERANCE * most) {
                throw mixed();
            }
        }
    }

    private IllegalArgumentException mixed() {
        return new IllegalArgumentException("output \"" + output
                + "\" mixes records: the output of a record depends on the other records of its minibatch");
    }

    private OnnxNode of(OnnxFile.Node node, OnnxValues values) {
        return new OnnxNode(values.graph(), node, file.operatorSet(), values);
    }

    /** Returns the shape of the output for 2 records. If a node cannot be computed, the exception names it. */
    private long[] shape(OnnxValues values) {
        try {
            return values.shape(output);
        } catch (RuntimeException e) {
            requireComputable(nodes, values);
            throw e;
        }
    }

    private void requireComputable(List<OnnxFile.Node> some, OnnxValues values) {
        for (OnnxFile.Node node : some) {
            try {
                values.shape(node.results().get(0));
            } catch (RuntimeException first) {
                throw of(node, values).incomputable(first);
            }
        }
    }

    /** Returns the name of the input. */
    public String input() {
        return input.name();
    }

    /** Returns a name that no constant and no input of the file has. */
    public String unused(String name) {
        String unused = name;
        while (constants.containsKey(unused) || unused.equals(input.name())) {
            unused += "_";
        }
        return unused;
    }

    /** Returns the text for people: the file. */
    @Override
    public String toString() {
        return file.toString();
    }
}
