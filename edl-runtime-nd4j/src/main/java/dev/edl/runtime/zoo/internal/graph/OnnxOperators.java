package dev.edl.runtime.zoo.internal.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.nd4j.linalg.api.ops.BaseReduceOp;
import org.nd4j.linalg.api.ops.ScalarOp;

/** ONNX nodes of SameDiff's operators, by the operator's name. */
final class OnnxOperators {
    /** Operators with the same operands, in the same order, and without attributes. */
    private static final Map<String, String> SAME = Map.ofEntries(
            Map.entry("Pow", "Pow"),
            Map.entry("Reciprocal", "Reciprocal"),
            Map.entry("abs", "Abs"),
            Map.entry("add", "Add"),
            Map.entry("ceil", "Ceil"),
            Map.entry("cos", "Cos"),
            Map.entry("divide", "Div"),
            Map.entry("erf", "Erf"),
            Map.entry("exp", "Exp"),
            Map.entry("floor", "Floor"),
            Map.entry("hard_sigmoid", "HardSigmoid"),
            Map.entry("identity", "Identity"),
            Map.entry("log", "Log"),
            Map.entry("maximum", "Max"),
            Map.entry("minimum", "Min"),
            Map.entry("multiply", "Mul"),
            Map.entry("neg", "Neg"),
            Map.entry("selu", "Selu"),
            Map.entry("sigmoid", "Sigmoid"),
            Map.entry("sign", "Sign"),
            Map.entry("sin", "Sin"),
            Map.entry("softplus", "Softplus"),
            Map.entry("softsign", "Softsign"),
            Map.entry("sqrt", "Sqrt"),
            Map.entry("subtract", "Sub"),
            Map.entry("tanh", "Tanh"),
            Map.entry("transpose", "Transpose"));

    private static final Map<String, Function<OnnxOperator, String>> RULES = new HashMap<>();

    static {
        SAME.forEach((name, operator) ->
                RULES.put(name, op -> op.node(operator, op.operands().toArray(String[]::new))));
        arithmetic();
        activations();
        shapes();
        reduction("reduce_max", "ReduceMax");
        reduction("reduce_mean", "ReduceMean");
        reduction("reduce_min", "ReduceMin");
        reduction("reduce_norm1", "ReduceL1");
        reduction("reduce_norm2", "ReduceL2");
        reduction("reduce_prod", "ReduceProd");
        reduction("reduce_sum", "ReduceSum");
        RULES.put("batchnorm", OnnxLayerOperators::batchNorm);
        RULES.put("biasadd", OnnxLayerOperators::biasAdd);
        RULES.put("conv2d", OnnxLayerOperators::convolution);
        RULES.put("maxpool2d", op -> OnnxLayerOperators.pooling(op, "MaxPool"));
        RULES.put("avgpool2d", op -> OnnxLayerOperators.pooling(op, "AveragePool"));
    }

    private OnnxOperators() {}

    /**
     * Adds the nodes of an operator and returns their value.
     *
     * @throws IllegalArgumentException when the operator has no ONNX counterpart; the message names it and the variable
     */
    static String add(OnnxOperator op) {
        Function<OnnxOperator, String> rule = RULES.get(op.function().opName());
        if (rule == null) {
            throw op.refusal("");
        }
        return rule.apply(op);
    }

    private static void arithmetic() {
        RULES.put("reversesubtract", op -> op.node("Sub", op.operands().get(1), op.first()));
        RULES.put("reversedivide", op -> op.node("Div", op.operands().get(1), op.first()));
        RULES.put("add_scalar", op -> op.node("Add", op.first(), scalar(op)));
        RULES.put("sub_scalar", op -> op.node("Sub", op.first(), scalar(op)));
        RULES.put("rsub_scalar", op -> op.node("Sub", scalar(op), op.first()));
        RULES.put("mul_scalar", op -> op.node("Mul", op.first(), scalar(op)));
        RULES.put("div_scalar", op -> op.node("Div", op.first(), scalar(op)));
        RULES.put("rdiv_scalar", op -> op.node("Div", scalar(op), op.first()));
        RULES.put("pow", op -> op.node("Pow", op.first(), scalar(op)));
        RULES.put("square", op -> op.node("Mul", op.first(), op.first()));
        RULES.put("cube", op -> op.node("Mul", op.first(), op.node("Mul", op.first(), op.first())));
        RULES.put("rsqrt", op -> op.node("Reciprocal", op.node("Sqrt", op.first())));
        RULES.put("squaredsubtract", op -> {
            String difference = op.node("Sub", op.first(), op.operands().get(1));
            return op.node("Mul", difference, difference);
        });
        RULES.put("ClipByValue", op -> clip(op, op.first(), op.fraction(0, 0), op.fraction(1, 0)));
        RULES.put("matmul", OnnxOperators::product);
        RULES.put("xw_plus_b", OnnxOperators::linear);
        RULES.put("relu_layer", op -> op.node("Relu", linear(op)));
    }

    private static void activations() {
        RULES.put(
                "relu", op -> scalarOf(op) == 0 ? op.node("Relu", op.first()) : op.node("Max", op.first(), scalar(op)));
        RULES.put("relu6", op -> clip(op, op.first(), scalarOf(op), 6));
        RULES.put("hardtanh", op -> clip(op, op.first(), -1, 1));
        RULES.put("leakyrelu", op -> op.node("LeakyRelu", List.of(op.first()), Map.of("alpha", scalarOf(op))));
        RULES.put("elu", op -> op.node("Elu", List.of(op.first()), Map.of("alpha", op.fraction(0, 1))));
        RULES.put("swish", op -> op.node("Mul", op.first(), op.node("Sigmoid", op.first())));
        // ND4J's gelu is the approximation by a sigmoid. Its precise_gelu cubes 0.044715 too, unlike the approximation
        // by a
        // tanh.
        RULES.put("gelu", op -> {
            String scaled = op.node("Mul", op.first(), op.number("scale", 1.702f));
            return op.node("Mul", op.first(), op.node("Sigmoid", scaled));
        });
        RULES.put("precise_gelu", op -> {
            String part = op.node("Mul", op.first(), op.number("part", 0.044715f));
            String cube = op.node("Mul", part, op.node("Mul", part, part));
            String scale = op.number("scale", (float) Math.sqrt(2 / Math.PI));
            String tanh = op.node("Tanh", op.node("Mul", op.node("Add", op.first(), cube), scale));
            String half = op.node("Mul", op.first(), op.number("half", 0.5f));
            return op.node("Add", half, op.node("Mul", half, tanh));
        });
        RULES.put("softmax", op -> op.node("Softmax", List.of(op.first()), Map.of("axis", op.integer(0, -1))));
        RULES.put("log_softmax", op -> op.node("LogSoftmax", List.of(op.first()), Map.of("axis", op.integer(0, -1))));
    }

    private static void shapes() {
        RULES.put("reshape", OnnxOperators::reshape);
        RULES.put("permute", op -> op.transposed(op.first(), fixed(op)));
        RULES.put("expand_dims", op -> op.node("Unsqueeze", op.first(), op.constant("axis", op.integer(0, 0))));
        RULES.put("squeeze", op -> op.node("Squeeze", op.first(), op.constant("axes", fixed(op))));
        RULES.put("tile", op -> op.node("Tile", op.first(), op.constant("repeats", fixed(op))));
        RULES.put("concat", op -> op.node("Concat", op.operands(), Map.of("axis", op.integer(0, 0))));
        RULES.put("stack", op -> {
            String axis = op.constant("axis", op.integer(0, 0));
            List<String> rows = op.operands().stream()
                    .map(operand -> op.node("Unsqueeze", operand, axis))
                    .toList();
            return op.node("Concat", rows, Map.of("axis", op.integer(0, 0)));
        });
        RULES.put("gather", op -> {
            String indices = op.operands().size() > 1
                    ? op.operands().get(1)
                    : op.constant("indices", Arrays.copyOfRange(op.integers(), 1, op.integers().length));
            return op.node("Gather", List.of(op.first(), indices), Map.of("axis", op.integer(0, 0)));
        });
        RULES.put("strided_slice", OnnxOperators::slice);
    }

    /** Returns the whole numbers of an operator that has them itself, not as a variable. */
    private static long[] fixed(OnnxOperator op) {
        op.require(
                op.operands().size() == 1,
                "its axes, repeats or limits are numbers of the operator, not variables",
                op.operands().size() - 1 + " variables");
        return op.integers();
    }

    private static float scalarOf(OnnxOperator op) {
        return ((ScalarOp) op.function()).scalar().getFloat(0);
    }

    private static String scalar(OnnxOperator op) {
        return op.number("scalar", scalarOf(op));
    }

    private static String clip(OnnxOperator op, String value, float least, float most) {
        return op.node("Clip", value, op.number("min", least), op.number("max", most));
    }

    private static String product(OnnxOperator op) {
        float alpha = op.fraction(0, 1);
        float beta = op.fraction(1, 0);
        op.require(alpha == 1 && beta == 0, "alpha is 1 and beta is 0", alpha + " and " + beta);
        String product = op.node(
                "MatMul",
                swapped(op, op.first(), op.rank(), op.integer(0, 0)),
                swapped(op, op.operands().get(1), op.shapes().get(1).length, op.integer(1, 0)));
        return swapped(op, product, op.rank(), op.integer(2, 0));
    }

    /** Returns a value with its last two axes swapped, if a flag is set. */
    private static String swapped(OnnxOperator op, String value, int rank, long flag) {
        if (flag == 0) {
            return value;
        }
        long[] axes = LongStream.range(0, rank).toArray();
        axes[rank - 2] = rank - 1L;
        axes[rank - 1] = rank - 2L;
        return op.transposed(value, axes);
    }

    private static String linear(OnnxOperator op) {
        op.require(op.integers().length == 0, "nothing is transposed", Arrays.toString(op.integers()));
        return op.node(
                "Add",
                op.node("MatMul", op.first(), op.operands().get(1)),
                op.operands().get(2));
    }

    private static String reshape(OnnxOperator op) {
        long[] integers = op.integers();
        // A negative character precedes the shape and is the order of the elements.
        boolean ordered = integers.length > 0 && integers[0] < -1;
        op.require(!ordered || integers[0] == -'c', "the order is c", ordered ? (char) -integers[0] : "");
        String shape = op.operands().size() > 1
                ? op.operands().get(1)
                : op.constant("shape", Arrays.copyOfRange(integers, ordered ? 1 : 0, integers.length));
        return op.node("Reshape", op.first(), shape);
    }

    /** Adds a slice. The masks' bits are dimensions, the first dimension's bit being 1. */
    private static String slice(OnnxOperator op) {
        long[] all = fixed(op);
        int rank = (all.length - 5) / 3;
        op.require(
                all.length == 5 + 3 * rank && all[1] == 0 && all[3] == 0,
                "it has neither ellipsis nor new axis",
                Arrays.toString(all));
        long[] starts = Arrays.copyOfRange(all, 5, 5 + rank);
        long[] ends = Arrays.copyOfRange(all, 5 + rank, 5 + 2 * rank);
        long[] steps = Arrays.copyOfRange(all, 5 + 2 * rank, 5 + 3 * rank);
        op.require(LongStream.of(steps).allMatch(step -> step > 0), "its strides are positive", Arrays.toString(steps));
        List<Long> dropped = new ArrayList<>();
        for (int d = 0; d < rank; d++) {
            boolean drop = (all[4] >> d & 1) == 1;
            if ((all[0] >> d & 1) == 1) {
                starts[d] = 0;
            }
            if ((all[2] >> d & 1) == 1 || (drop && starts[d] == -1)) {
                ends[d] = Long.MAX_VALUE;
            } else if (drop) {
                ends[d] = starts[d] + 1;
            }
            if (drop) {
                dropped.add((long) d);
            }
        }
        String axes = op.constant("axes", LongStream.range(0, rank).toArray());
        String slice = op.node(
                "Slice",
                op.first(),
                op.constant("starts", starts),
                op.constant("ends", ends),
                axes,
                op.constant("steps", steps));
        return dropped.isEmpty()
                ? slice
                : op.node(
                        "Squeeze",
                        slice,
                        op.constant(
                                "dropped",
                                dropped.stream().mapToLong(Long::longValue).toArray()));
    }

    private static void reduction(String name, String operator) {
        RULES.put(name, op -> {
            BaseReduceOp reduction = (BaseReduceOp) op.function();
            int[] axes = reduction.getDimensions();
            // All dimensions are none, or the largest number.
            boolean all = axes == null || axes.length == 0 || axes[0] == Integer.MAX_VALUE;
            Map<String, Object> attributes = new HashMap<>(Map.of("keepdims", reduction.isKeepDims() ? 1L : 0L));
            if (all) {
                return op.node(operator, List.of(op.first()), attributes);
            }
            long[] reduced = Arrays.stream(axes).asLongStream().toArray();
            if (operator.equals("ReduceSum")) {
                return op.node(operator, List.of(op.first(), op.constant("axes", reduced)), attributes);
            }
            attributes.put("axes", LongStream.of(reduced).boxed().toList());
            return op.node(operator, List.of(op.first()), attributes);
        });
    }
}
