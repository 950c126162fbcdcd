package dev.edl.runtime.zoo.internal.graph;

import dev.edl.runtime.onnx.OnnxFile;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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

    private final OnnxFile file;
    private final OnnxFile.Input input;
    private final String output;
    private final Map<String, OnnxFile.Node> producers = new HashMap<>();
    private final Map<String, OnnxFile.Tensor> constants;
    private final Set<String> parameters = new HashSet<>();
    private final List<OnnxFile.Node> nodes;
    private final Map<String, long[]> shapes = new ConcurrentHashMap<>();

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
                constants.put(node.results().get(0), constant(node));
            } else {
                node.results().forEach(result -> producers.put(result, node));
            }
        }
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
        return input;
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
            name = node.operands().get(0);
            node = producers.get(name);
        }
        return node != null && last.contains(node.operator()) ? node.operands().get(0) : name;
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
            name = producer.operands().get(0);
            producer = producers.get(name);
        }
        OnnxFile.Tensor constant = constants.get(name);
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
            SDVariable variable = OnnxNodes.add(of(node, values));
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
        return new Network(values.graph(), values.variable(output), shape[1]);
    }

    private OnnxNode of(OnnxFile.Node node, OnnxValues values) {
        return new OnnxNode(values.graph(), node, file.operatorSet(), values);
    }

    /** Returns the shape of the output for 2 records. If a node cannot be computed, the exception names it. */
    private long[] shape(OnnxValues values) {
        try {
            return values.shape(output);
        } catch (RuntimeException e) {
            for (OnnxFile.Node node : nodes) {
                try {
                    values.shape(node.results().get(0));
                } catch (RuntimeException first) {
                    throw of(node, values).incomputable(first);
                }
            }
            throw e;
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
