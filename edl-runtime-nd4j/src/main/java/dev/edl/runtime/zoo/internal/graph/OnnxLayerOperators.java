package dev.edl.runtime.zoo.internal.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.nd4j.linalg.api.ops.CustomOp;

/** ONNX nodes of the operators of convolutional networks. ONNX has the channels before height and width. */
final class OnnxLayerOperators {
    private static final long[] CHANNELS_FIRST = {0, 3, 1, 2};
    private static final long[] CHANNELS_LAST = {0, 2, 3, 1};
    /** Axes of a kernel's [out, in, height, width] in ND4J's three formats. */
    private static final long[][] KERNELS = {{3, 2, 0, 1}, {0, 1, 2, 3}, {0, 3, 1, 2}};

    private OnnxLayerOperators() {}

    static String biasAdd(OnnxOperator op) {
        boolean[] flags = ((CustomOp) op.function()).bArgs();
        String bias = op.operands().get(1);
        if (flags.length > 0 && flags[0] && op.rank() > 2) {
            long[] shape = new long[op.rank() - 1];
            Arrays.fill(shape, 1);
            shape[0] = -1;
            bias = op.node("Reshape", bias, op.constant("shape", shape));
        }
        return op.node("Add", op.first(), bias);
    }

    static String batchNorm(OnnxOperator op) {
        long[] integers = op.integers();
        op.require(
                op.operands().size() == 5 && integers.length == 3 && integers[0] == 1 && integers[1] == 1,
                "it has mean, variance, gain, bias and one axis",
                Arrays.toString(integers));
        int axis = (int) (integers[2] < 0 ? integers[2] + op.rank() : integers[2]);
        long[] there = swap(op.rank(), axis);
        List<String> values = new ArrayList<>();
        values.add(axis == 1 ? op.first() : op.transposed(op.first(), there));
        // ONNX has gain and bias before mean and variance.
        for (int operand : new int[] {3, 4, 1, 2}) {
            values.add(op.operands().get(operand));
        }
        String normal = op.node("BatchNormalization", values, Map.of("epsilon", op.fraction(0, 1e-5)));
        return axis == 1 ? normal : op.transposed(normal, there);
    }

    private static long[] swap(int rank, int axis) {
        long[] axes = LongStream.range(0, rank).toArray();
        axes[axis] = 1;
        axes[1] = axis;
        return axes;
    }

    static String convolution(OnnxOperator op) {
        boolean last = op.integer(9, 0) == 1;
        List<String> values = new ArrayList<>(op.operands());
        values.set(0, last ? op.transposed(op.first(), CHANNELS_FIRST) : op.first());
        long[] kernel = KERNELS[(int) op.integer(10, 0)];
        if (kernel[0] != 0 || kernel[1] != 1) {
            values.set(1, op.transposed(op.operands().get(1), kernel));
        }
        String result = op.node("Conv", values, window(op, last));
        return last ? op.transposed(result, CHANNELS_LAST) : result;
    }

    static String pooling(OnnxOperator op, String operator) {
        boolean last = op.integer(10, 0) == 1;
        Map<String, Object> window = window(op, last);
        if (operator.equals("AveragePool")) {
            op.require(
                    op.integer(6, 1) == 1 && op.integer(7, 1) == 1,
                    "its dilation is 1",
                    Arrays.toString(op.integers()));
            window.remove("dilations");
            window.put("count_include_pad", op.integer(9, 0) == 1 ? 1L : 0L);
        }
        String x = last ? op.transposed(op.first(), CHANNELS_FIRST) : op.first();
        String result = op.node(operator, List.of(x), window);
        return last ? op.transposed(result, CHANNELS_LAST) : result;
    }

    /** Returns size, strides, dilations and padding of a window: ND4J's first nine numbers. */
    private static Map<String, Object> window(OnnxOperator op, boolean last) {
        long mode = op.integer(8, 0);
        op.require(mode == 0 || mode == 1, "its padding is explicit, VALID or SAME", Arrays.toString(op.integers()));
        List<Long> pads = new ArrayList<>(List.of(0L, 0L, 0L, 0L));
        for (int side = 0; side < 2; side++) {
            long before = op.integer(4 + side, 0);
            long after = before;
            if (mode == 1) {
                long size = op.shapes().get(0)[side + (last ? 1 : 2)];
                long stride = op.integer(2 + side, 1);
                long covered = (op.integer(side, 1) - 1) * op.integer(6 + side, 1) + 1;
                long total = Math.max(((size + stride - 1) / stride - 1) * stride + covered - size, 0);
                before = total / 2;
                after = total - before;
            }
            pads.set(side, before);
            pads.set(side + 2, after);
        }
        Map<String, Object> window = new HashMap<>();
        window.put("kernel_shape", List.of(op.integer(0, 1), op.integer(1, 1)));
        window.put("strides", List.of(op.integer(2, 1), op.integer(3, 1)));
        window.put("dilations", List.of(op.integer(6, 1), op.integer(7, 1)));
        window.put("pads", pads);
        return window;
    }
}
