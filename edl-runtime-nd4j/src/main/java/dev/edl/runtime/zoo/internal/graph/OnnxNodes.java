package dev.edl.runtime.zoo.internal.graph;

import dev.edl.runtime.onnx.OnnxFile;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;

/** SameDiff operators of ONNX nodes, by the node's operator: the inverse of {@link OnnxOperators}. */
final class OnnxNodes {
    /** Number of ONNX's type FLOAT. */
    private static final long FLOAT = 1;

    /** Default attributes of Selu. */
    private static final float ALPHA = 1.6732632f;

    private static final float GAMMA = 1.050701f;

    private static final Map<String, Function<OnnxNode, SDVariable>> RULES = new HashMap<>();

    static {
        arithmetic();
        activations();
        shapes();
        reduction("ReduceMax", (x, keep, axes) -> x.getSameDiff().max(x, keep, axes));
        reduction("ReduceMean", (x, keep, axes) -> x.getSameDiff().mean(x, keep, axes));
        reduction("ReduceMin", (x, keep, axes) -> x.getSameDiff().min(x, keep, axes));
        reduction("ReduceSum", (x, keep, axes) -> x.getSameDiff().sum(x, keep, axes));
        RULES.put("Conv", OnnxLayerNodes::convolution);
        RULES.put("Pad", OnnxLayerNodes::padding);
        RULES.put("MaxPool", node -> OnnxLayerNodes.pooling(node, true));
        RULES.put("AveragePool", node -> OnnxLayerNodes.pooling(node, false));
        RULES.put("GlobalAveragePool", OnnxLayerNodes::globalAverage);
        RULES.put("BatchNormalization", OnnxLayerNodes::batchNorm);
    }

    /** A reduction over axes. */
    @FunctionalInterface
    private interface Reduction {
        SDVariable of(SDVariable x, boolean keep, int... axes);
    }

    private OnnxNodes() {}

    /**
     * Adds the operators of a node and returns their variable.
     *
     * @throws OnnxNode.RefusedException when there are none; the message names the node
     * @throws RuntimeException when SameDiff cannot compute the node, or one before it
     */
    static SDVariable add(OnnxNode node) {
        return Objects.requireNonNull(RULES.get(node.node().operator())).apply(node);
    }

    /**
     * Checks that EDL reads the operator of a node.
     *
     * @throws IllegalArgumentException when it does not; the message names the node
     */
    static void requireKnown(OnnxFile.Node node) {
        if (node.operator().equals("Shape")) {
            throw new IllegalArgumentException("node " + node
                    + ": reads the number of records; in PyTorch, torch.flatten(x, 1) replaces x.view(x.size(0), -1)");
        }
        if (!RULES.containsKey(node.operator())) {
            throw new IllegalArgumentException(
                    "node " + node + ": is an operator that EDL does not read; it reads " + String.join(", ", known()));
        }
    }

    private static List<String> known() {
        return RULES.keySet().stream().sorted().toList();
    }

    private static void unary(String operator, UnaryOperator<SDVariable> rule) {
        RULES.put(operator, node -> rule.apply(node.operand(0)));
    }

    private static void binary(String operator, BinaryOperator<SDVariable> rule) {
        RULES.put(operator, node -> {
            SDVariable result = node.operand(0);
            for (int i = 1; i < node.operands(); i++) {
                result = rule.apply(result, node.operand(i));
            }
            return result;
        });
    }

    private static void arithmetic() {
        binary("Add", SDVariable::add);
        binary("Sub", SDVariable::sub);
        binary("Sum", SDVariable::add);
        binary("Mul", SDVariable::mul);
        binary("Div", SDVariable::div);
        binary("Max", (a, b) -> a.getSameDiff().math.max(a, b));
        binary("Min", (a, b) -> a.getSameDiff().math.min(a, b));
        binary("Pow", (a, b) -> a.getSameDiff().math.pow(a, b));
        RULES.put("MatMul", OnnxNodes::product);
        unary("Abs", x -> x.getSameDiff().math.abs(x));
        unary("Cos", x -> x.getSameDiff().math.cos(x));
        unary("Exp", x -> x.getSameDiff().math.exp(x));
        unary("Log", x -> x.getSameDiff().math.log(x));
        unary("Neg", x -> x.getSameDiff().math.neg(x));
        unary("Reciprocal", x -> x.getSameDiff().math.reciprocal(x));
        unary("Sin", x -> x.getSameDiff().math.sin(x));
        unary("Sqrt", x -> x.getSameDiff().math.sqrt(x));
        unary("Erf", x -> x.getSameDiff().math.erf(x));
        RULES.put("Gemm", OnnxNodes::linear);
        RULES.put("Clip", node -> {
            node.require(
                    node.operands() == 1 || node.node().attributes().isEmpty(), "has both attributes and operands");
            double least = node.limit(1, "min", -Float.MAX_VALUE);
            double most = node.limit(2, "max", Float.MAX_VALUE);
            return node.graph().math.clipByValue(node.operand(0), least, most);
        });
    }

    /** Adds a product of matrices, or of a value of a higher rank and a matrix, which SameDiff has not. */
    private static SDVariable product(OnnxNode node) {
        long[] to = node.shape(0);
        int last = to.length - 1;
        if (last < 2 || node.shape(1).length != 2) {
            return node.graph().mmul(node.operand(0), node.operand(1));
        }
        SDVariable rows = node.operand(0).reshape(-1, to[last]);
        to[0] = -1;
        to[last] = node.shape(1)[1];
        return node.graph().mmul(rows, node.operand(1)).reshape(to);
    }

    private static SDVariable linear(OnnxNode node) {
        SameDiff graph = node.graph();
        boolean turned = node.integer("transA", 0) != 0;
        node.require(!turned || !node.isComputed(0), "mixes records: transA is 1");
        SDVariable x = turned ? graph.transpose(node.operand(0)) : node.operand(0);
        SDVariable kernel = node.integer("transB", 0) == 0 ? node.operand(1) : graph.transpose(node.operand(1));
        float alpha = node.number("alpha", 1);
        float beta = node.number("beta", 1);
        SDVariable product = graph.mmul(x, kernel);
        SDVariable scaled = alpha == 1 ? product : product.mul(alpha);
        if (node.operands() < 3) {
            return scaled;
        }
        return scaled.add(beta == 1 ? node.operand(2) : node.operand(2).mul(beta));
    }

    private static void activations() {
        unary("Identity", x -> x);
        // A network that trains on has no random zeros: ONNX describes the network as it predicts.
        RULES.put("Dropout", node -> node.operand(0));
        unary("Relu", x -> x.getSameDiff().nn.relu(x, 0));
        unary("Sigmoid", x -> x.getSameDiff().nn.sigmoid(x));
        unary("Softplus", x -> x.getSameDiff().nn.softplus(x));
        unary("Softsign", x -> x.getSameDiff().nn.softsign(x));
        unary("Tanh", x -> x.getSameDiff().math.tanh(x));
        RULES.put("Cast", node -> {
            node.require(node.integer("to", 0) == FLOAT, "has another type than FLOAT");
            return node.operand(0);
        });
        RULES.put("Elu", node -> {
            node.require(node.number("alpha", 1) == 1, "has an alpha other than 1");
            return node.graph().nn.elu(node.operand(0));
        });
        RULES.put("Selu", node -> {
            node.require(
                    node.number("alpha", ALPHA) == ALPHA && node.number("gamma", GAMMA) == GAMMA,
                    "has an alpha or a gamma other than the default");
            return node.graph().nn.selu(node.operand(0));
        });
        RULES.put("LeakyRelu", node -> node.graph().nn.leakyRelu(node.operand(0), node.number("alpha", 0.01f)));
        RULES.put("Softmax", node -> node.graph().nn.softmax(node.operand(0), softmaxAxis(node)));
        RULES.put("LogSoftmax", node -> {
            node.require(softmaxAxis(node) == node.shape(0).length - 1, "has another axis than the last one");
            return node.graph().nn.logSoftmax(node.operand(0));
        });
    }

    private static int softmaxAxis(OnnxNode node) {
        int rank = node.shape(0).length;
        int axis = node.axisOfRecord((int) node.integer("axis", node.operatorSet() < 13 ? 1 : -1), rank);
        node.require(node.operatorSet() >= 13 || axis == rank - 1, "flattens its operand; use operator set 13");
        return axis;
    }

    private static void shapes() {
        RULES.put("Flatten", node -> {
            node.require(node.integer("axis", 1) == 1, "flattens over another axis than 1");
            return node.operand(0).reshape(-1, count(node.shape(0)));
        });
        RULES.put("Reshape", OnnxNodes::reshape);
        RULES.put("Transpose", node -> {
            int rank = node.shape(0).length;
            long[] axes = node.integers(
                    "perm", LongStream.range(0, rank).map(i -> rank - 1 - i).toArray());
            node.require(!node.isComputed(0) || axes[0] == 0, "mixes records: its first axis is another one");
            return node.graph().permute(node.operand(0), ints(axes));
        });
        RULES.put(
                "Concat",
                node -> node.graph()
                        .concat(
                                node.axisOfRecord((int) node.integer("axis", 0), node.shape(0).length),
                                IntStream.range(0, node.operands())
                                        .mapToObj(node::operand)
                                        .toArray(SDVariable[]::new)));
        RULES.put("Squeeze", node -> {
            SDVariable x = node.operand(0);
            int[] axes = node.axes(node.shape(0).length);
            node.require(axes.length > 0, "has no axes");
            for (int i = axes.length - 1; i >= 0; i--) {
                x = node.graph().squeeze(x, axes[i]);
            }
            return x;
        });
        RULES.put("Unsqueeze", node -> {
            SDVariable x = node.operand(0);
            for (int axis : node.axes(node.shape(0).length + node.givenAxes().length)) {
                x = node.graph().expandDims(x, axis);
            }
            return x;
        });
    }

    private static long count(long[] shape) {
        return Arrays.stream(shape).skip(1).reduce(1, Math::multiplyExact);
    }

    /** Adds a reshape; the first dimension of a value that depends on the features is the number of records. */
    private static SDVariable reshape(OnnxNode node) {
        long[] to = node.integersOf(1);
        long[] from = node.shape(0);
        boolean records = node.isComputed(0);
        long known = 1;
        int open = -1;
        for (int d = records ? 1 : 0; d < to.length; d++) {
            if (to[d] == 0 && d < from.length) {
                to[d] = from[d];
            }
            if (to[d] == -1) {
                open = d;
            } else {
                known *= to[d];
            }
        }
        if (records) {
            node.require(
                    to.length > 0 && (to[0] == -1 || to[0] == 0),
                    "has shape " + Arrays.toString(to) + ", whose first dimension must be -1 or 0, the records");
            if (open >= 0) {
                to[open] = count(from) / known;
            }
            to[0] = -1;
        }
        return node.operand(0).reshape(to);
    }

    private static void reduction(String operator, Reduction rule) {
        RULES.put(operator, node -> {
            int rank = node.shape(0).length;
            int[] axes = node.axes(rank);
            node.require(axes.length > 0 || !node.isComputed(0), "mixes records: it has no axes");
            return rule.of(node.operand(0), node.integer("keepdims", 1) == 1, axes);
        });
    }

    private static int[] ints(long[] values) {
        return LongStream.of(values).mapToInt(Math::toIntExact).toArray();
    }
}
