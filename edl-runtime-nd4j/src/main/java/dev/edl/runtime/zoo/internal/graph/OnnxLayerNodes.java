package dev.edl.runtime.zoo.internal.graph;

import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.enums.PadMode;
import org.nd4j.enums.WeightsFormat;
import org.nd4j.linalg.api.ops.impl.layers.convolution.Pooling2D;
import org.nd4j.linalg.api.ops.impl.layers.convolution.config.Conv2DConfig;
import org.nd4j.linalg.api.ops.impl.layers.convolution.config.PaddingMode;
import org.nd4j.linalg.api.ops.impl.layers.convolution.config.Pooling2DConfig;
import org.nd4j.linalg.factory.Nd4j;

/** SameDiff operators of ONNX nodes of convolutional networks. Both have the channels before height and width. */
final class OnnxLayerNodes {
    private OnnxLayerNodes() {}

    /** Sizes of a window over two dimensions. */
    private static final class Window {
        private final long[] kernel;
        private final long[] strides;
        private final long[] dilations;
        private final long[] pads;
        /** Whether the padding makes the result's size the operand's divided by the stride. */
        private final boolean same;

        private Window(OnnxNode node, long... kernel) {
            node.require(node.shape(0).length == 4 && kernel.length == 2, "has not two dimensions, as images have");
            String padding = node.text("auto_pad", "NOTSET");
            node.require(!padding.equals("SAME_LOWER"), "has auto_pad SAME_LOWER; only SAME_UPPER is read");
            this.kernel = kernel;
            this.strides = node.integers("strides", 1, 1);
            this.dilations = node.integers("dilations", 1, 1);
            this.pads = node.integers("pads", 0, 0, 0, 0);
            this.same = padding.equals("SAME_UPPER");
        }

        boolean isSymmetric() {
            return pads[0] == pads[2] && pads[1] == pads[3];
        }

        PaddingMode mode() {
            return same ? PaddingMode.SAME : PaddingMode.VALID;
        }
    }

    static SDVariable convolution(OnnxNode node) {
        node.require(node.integer("group", 1) == 1, "has groups; only a convolution of one group is read");
        long[] shape = node.shape(1);
        node.require(shape.length == 4, "has not two dimensions, as images have");
        Window window = new Window(node, shape[2], shape[3]);
        boolean symmetric = window.isSymmetric();
        SDVariable x = symmetric ? node.operand(0) : padded(node, window.pads);
        Conv2DConfig config = Conv2DConfig.builder()
                .kH(shape[2])
                .kW(shape[3])
                .sH(window.strides[0])
                .sW(window.strides[1])
                .dH(window.dilations[0])
                .dW(window.dilations[1])
                .pH(symmetric ? window.pads[0] : 0)
                .pW(symmetric ? window.pads[1] : 0)
                .paddingMode(window.mode())
                .dataFormat(Conv2DConfig.NCHW)
                .weightsFormat(WeightsFormat.YXIO)
                .build();
        SameDiff graph = node.graph();
        // SameDiff's gradient needs a kernel of [height, width, in, out] (seen in 1.0.0-M2.1).
        SDVariable kernel = graph.permute(node.operand(1), 2, 3, 1, 0);
        return node.operands() > 2
                ? graph.cnn.conv2d(x, kernel, node.operand(2), config)
                : graph.cnn.conv2d(x, kernel, config);
    }

    /** Adds zeros around height and width. */
    private static SDVariable padded(OnnxNode node, long[] pads) {
        return padded(node, new int[][] {{0, 0}, {0, 0}, {(int) pads[0], (int) pads[2]}, {(int) pads[1], (int) pads[3]}
        });
    }

    private static SDVariable padded(OnnxNode node, int[][] pads) {
        SDVariable around = node.graph().constant(Nd4j.createFromArray(pads));
        return node.graph().nn.pad(node.operand(0), around, PadMode.CONSTANT, 0);
    }

    /** Adds zeros before and after each dimension. */
    static SDVariable padding(OnnxNode node) {
        int rank = node.shape(0).length;
        long[] pads = node.operands() > 1 ? node.integersOf(1) : node.integers("pads");
        node.require(node.text("mode", "constant").equals("constant"), "has another mode than constant");
        node.require(node.limit(2, "value", 0) == 0, "has another value than 0");
        node.require(pads.length == 2 * rank, "must have two pads for each dimension");
        int[][] each = new int[rank][2];
        for (int d = 0; d < rank; d++) {
            each[d][0] = (int) pads[d];
            each[d][1] = (int) pads[d + rank];
        }
        node.require(
                LongStream.of(pads).allMatch(pad -> pad >= 0) && each[0][0] == 0 && each[0][1] == 0,
                "has pads less than 0, or for the records");
        return LongStream.of(pads).sum() == 0 ? node.operand(0) : padded(node, each);
    }

    static SDVariable pooling(OnnxNode node, boolean max) {
        Window window = new Window(node, node.integers("kernel_shape"));
        node.require(window.isSymmetric(), "has different padding on opposite sides");
        node.require(node.integer("ceil_mode", 0) == 0, "has ceil_mode 1");
        node.require(window.dilations[0] == 1 && window.dilations[1] == 1, "has dilations other than 1");
        Pooling2DConfig config = Pooling2DConfig.builder()
                .kH(window.kernel[0])
                .kW(window.kernel[1])
                .sH(window.strides[0])
                .sW(window.strides[1])
                .pH(window.pads[0])
                .pW(window.pads[1])
                .dH(1)
                .dW(1)
                .paddingMode(window.mode())
                .isNHWC(false)
                .type(max ? Pooling2D.Pooling2DType.MAX : Pooling2D.Pooling2DType.AVG)
                .divisor(
                        node.integer("count_include_pad", 0) == 1
                                ? Pooling2D.Divisor.INCLUDE_PADDING
                                : Pooling2D.Divisor.EXCLUDE_PADDING)
                .build();
        SameDiff graph = node.graph();
        return max ? graph.cnn.maxPooling2d(node.operand(0), config) : graph.cnn.avgPooling2d(node.operand(0), config);
    }

    static SDVariable globalAverage(OnnxNode node) {
        int[] axes = IntStream.range(2, node.shape(0).length).toArray();
        return node.graph().mean(node.operand(0), true, axes);
    }

    /**
     * Adds a normalization by the mean and the variance of the file, which stay as they are. They are copied, because
     * PyTorch takes the variance of a new layer from its scale. SameDiff's own operator has no gradient (seen in
     * 1.0.0-M2.1).
     */
    static SDVariable batchNorm(OnnxNode node) {
        node.require(node.integer("training_mode", 0) == 0, "mixes records: its training_mode is 1");
        long[] channels = node.shape(0);
        Arrays.fill(channels, 1);
        channels[1] = -1;
        SDVariable scale = node.operand(1).reshape(channels);
        SDVariable bias = node.operand(2).reshape(channels);
        SDVariable mean = node.fixed(3).reshape(channels);
        SDVariable variance = node.fixed(4).reshape(channels).add(node.number("epsilon", 1e-5f));
        SDVariable centered = node.operand(0).sub(mean);
        return centered.mul(scale.div(node.graph().math.sqrt(variance))).add(bias);
    }
}
