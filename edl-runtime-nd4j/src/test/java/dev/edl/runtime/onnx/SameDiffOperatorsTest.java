package dev.edl.runtime.onnx;

import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.zoo.SameDiffModel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.nd4j.autodiff.samediff.SDIndex;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.enums.WeightsFormat;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.api.ops.impl.layers.convolution.config.Conv2DConfig;
import org.nd4j.linalg.api.ops.impl.layers.convolution.config.PaddingMode;
import org.nd4j.linalg.api.ops.impl.layers.convolution.config.Pooling2DConfig;
import org.nd4j.linalg.factory.Nd4j;

/** Compares each operator that has an ONNX counterpart in ONNX Runtime with SameDiff. */
class SameDiffOperatorsTest {
    private static final long SEED = 20261130;
    private static final int RECORDS = 20;

    private static final List<Arguments> CASES = new ArrayList<>();

    private static void matrix(String name, UnaryOperator<SDVariable> operator) {
        CASES.add(Arguments.of(name, new long[] {-1, 6}, operator));
    }

    private static void image(String name, UnaryOperator<SDVariable> operator) {
        CASES.add(Arguments.of(name, new long[] {-1, 2, 8, 7}, operator));
    }

    /** Returns a constant whose values differ. */
    private static SDVariable constant(SDVariable x, String name, long... shape) {
        INDArray values = Nd4j.linspace(-0.6, 0.9, LongStream.of(shape).reduce(1, (a, b) -> a * b), DataType.FLOAT);
        return x.getSameDiff().constant(name, values.reshape(shape).dup('c'));
    }

    private static SDVariable six(SDVariable x) {
        return constant(x, "six", 6);
    }

    private static SDVariable positive(SDVariable x) {
        return x.mul(x).add(0.5);
    }

    private static SDVariable normalized(SDVariable x, int channels, int axis) {
        return x.getSameDiff()
                .nn
                .batchNorm(
                        x,
                        constant(x, "mean", channels),
                        constant(x, "spread", channels).add(1),
                        constant(x, "gain", channels),
                        constant(x, "bias", channels),
                        1e-3,
                        axis);
    }

    private static SDVariable last(SDVariable image) {
        return image.permute(0, 2, 3, 1);
    }

    static Stream<Arguments> operators() {
        CASES.clear();
        arithmetic();
        activations();
        shapes();
        reductions();
        convolutions();
        poolings();
        return CASES.stream();
    }

    private static void arithmetic() {
        matrix("mmul", x -> x.mmul(constant(x, "w", 6, 4)));
        matrix("mmul transposed", x -> x.getSameDiff().mmul(x, constant(x, "w", 4, 6), false, true, false));
        matrix("linear", x -> x.getSameDiff().nn.linear(x, constant(x, "w", 6, 4), constant(x, "b", 4)));
        matrix("reluLayer", x -> x.getSameDiff().nn.reluLayer(x, constant(x, "w", 6, 4), constant(x, "b", 4)));
        matrix("add", x -> x.add(six(x)));
        matrix("sub", x -> x.sub(six(x)));
        matrix("rsub", x -> x.rsub(six(x)));
        matrix("mul", x -> x.mul(six(x)));
        matrix("div", x -> x.div(six(x)));
        matrix("rdiv", x -> positive(x).rdiv(six(x)));
        matrix("add number", x -> x.add(1.5));
        matrix("sub number", x -> x.sub(1.5));
        matrix("rsub number", x -> x.rsub(1.5));
        matrix("mul number", x -> x.mul(1.5));
        matrix("div number", x -> x.div(1.5));
        matrix("rdiv number", x -> positive(x).rdiv(1.5));
        matrix("pow number", x -> positive(x).pow(1.5));
        matrix("pow", x -> x.getSameDiff().math.pow(positive(x), six(x)));
        matrix("neg", x -> x.getSameDiff().math.neg(x));
        matrix("abs", x -> x.getSameDiff().math.abs(x));
        matrix("exp", x -> x.getSameDiff().math.exp(x));
        matrix("log", x -> x.getSameDiff().math.log(positive(x)));
        matrix("sqrt", x -> x.getSameDiff().math.sqrt(positive(x)));
        matrix("rsqrt", x -> x.getSameDiff().math.rsqrt(positive(x)));
        matrix("square", x -> x.getSameDiff().math.square(x));
        matrix("cube", x -> x.getSameDiff().math.cube(x));
        matrix("reciprocal", x -> x.getSameDiff().math.reciprocal(positive(x)));
        matrix("ceil", x -> x.getSameDiff().math.ceil(x.mul(3)));
        matrix("floor", x -> x.getSameDiff().math.floor(x.mul(3)));
        matrix("sin", x -> x.getSameDiff().math.sin(x));
        matrix("cos", x -> x.getSameDiff().math.cos(x));
        matrix("erf", x -> x.getSameDiff().math.erf(x));
        matrix("sign", x -> x.getSameDiff().math.sign(x));
        matrix("max", x -> x.getSameDiff().math.max(x, six(x)));
        matrix("min", x -> x.getSameDiff().math.min(x, six(x)));
        matrix("clip", x -> x.getSameDiff().math.clipByValue(x, -0.2, 0.7));
        matrix("squared difference", x -> x.getSameDiff().math.squaredDifference(x, six(x)));
        matrix("bias", x -> x.getSameDiff().nn.biasAdd(x, six(x), true));
    }

    private static void activations() {
        matrix("relu", x -> x.getSameDiff().nn.relu(x, 0));
        matrix("relu above", x -> x.getSameDiff().nn.relu(x, 0.4));
        matrix("relu6", x -> x.getSameDiff().nn.relu6(x.mul(9), 0));
        matrix("sigmoid", x -> x.getSameDiff().nn.sigmoid(x));
        matrix("tanh", x -> x.getSameDiff().nn.tanh(x));
        matrix("softmax", x -> x.getSameDiff().nn.softmax(x));
        matrix("softmax of axis", x -> x.getSameDiff().nn.softmax(x.reshape(-1, 2, 3), 1));
        matrix("logSoftmax", x -> x.getSameDiff().nn.logSoftmax(x));
        matrix("elu", x -> x.getSameDiff().nn.elu(x));
        matrix("selu", x -> x.getSameDiff().nn.selu(x));
        matrix("leakyRelu", x -> x.getSameDiff().nn.leakyRelu(x, 0.02));
        matrix("gelu", x -> x.getSameDiff().nn.gelu(x));
        matrix("preciseGelu", x -> x.getSameDiff().nn.preciseGelu(x));
        matrix("swish", x -> x.getSameDiff().nn.swish(x));
        matrix("softplus", x -> x.getSameDiff().nn.softplus(x));
        matrix("softsign", x -> x.getSameDiff().nn.softsign(x));
        matrix("hardSigmoid", x -> x.getSameDiff().nn.hardSigmoid(x.mul(5)));
        matrix("hardTanh", x -> x.getSameDiff().nn.hardTanh(x.mul(3)));
    }

    private static void shapes() {
        matrix("reshape", x -> x.reshape(-1, 2, 3));
        matrix(
                "reshape by a constant",
                x -> x.getSameDiff().reshape(x, x.getSameDiff().constant(Nd4j.createFromArray(-1, 3, 2))));
        matrix("permute", x -> x.reshape(-1, 2, 3).permute(0, 2, 1));
        matrix("transpose", x -> {
            SameDiff sd = x.getSameDiff();
            return sd.transpose(sd.mmul(constant(x, "w", 4, 6), sd.transpose(x)));
        });
        matrix(
                "expandDims and squeeze",
                x -> x.getSameDiff().squeeze(x.getSameDiff().expandDims(x, 1).mul(2), 1));
        matrix("concat", x -> x.getSameDiff().concat(1, x, x.mul(2)));
        matrix("stack", x -> x.getSameDiff().stack(1, x, x.mul(2)));
        matrix("tile", x -> x.getSameDiff().tile(x, 1, 2));
        matrix("gather", x -> x.getSameDiff().gather(x, new int[] {4, 0, 4}, 1));
        matrix(
                "gather by a constant",
                x -> x.getSameDiff().gather(x, x.getSameDiff().constant(Nd4j.createFromArray(5, 1)), 1));
        matrix(
                "gather of a constant",
                x -> x.mmul(x.getSameDiff().gather(constant(x, "rows", 9, 2), new int[] {8, 7, 6, 5, 4, 3}, 0)));
        matrix("identity", x -> x.getSameDiff().identity(x));
        matrix("slice", x -> x.get(SDIndex.all(), SDIndex.interval(1, 3)));
        matrix("slice of steps", x -> x.get(SDIndex.all(), SDIndex.interval(1L, 2L, 5L)));
        matrix("point", x -> x.get(SDIndex.all(), SDIndex.point(2)));
        matrix("last point", x -> x.get(SDIndex.all(), SDIndex.point(-1)));
        matrix("kept point", x -> x.get(SDIndex.all(), SDIndex.point(2, true)));
    }

    private static void reductions() {
        matrix("mean", x -> x.mean(1));
        matrix("mean of the last axis", x -> x.mean(true, -1));
        matrix("sum", x -> x.sum(1));
        matrix("sum of the last axis", x -> x.sum(true, -1));
        matrix("max of axis", x -> x.max(1));
        matrix("min of axis", x -> x.min(1));
        matrix("product of axis", x -> x.prod(1));
        matrix("norm1", x -> x.norm1(1));
        matrix("norm2", x -> x.norm2(1));
        matrix("mean of a constant", x -> x.add(six(x).mean()));
        image("mean of two axes", x -> x.mean(2, 3));
        image("sum of two axes", x -> x.mul(0.05).sum(2, 3));
    }

    private static void convolutions() {
        image("bias of channels", x -> x.getSameDiff().nn.biasAdd(x, constant(x, "b", 2), true));
        image("bias of last channels", x -> x.getSameDiff().nn.biasAdd(last(x), constant(x, "b", 2), false));
        image("batchNorm", x -> normalized(x, 2, 1));
        image("batchNorm of last channels", x -> normalized(last(x), 2, 3));
        matrix("batchNorm of a matrix", x -> normalized(x, 6, 1));
        image(
                "conv2d",
                x -> x.getSameDiff()
                        .cnn
                        .conv2d(
                                x,
                                constant(x, "k", 3, 2, 2, 4),
                                Conv2DConfig.builder().kH(3).kW(2).build()));
        image(
                "conv2d, same",
                x -> x.getSameDiff()
                        .cnn
                        .conv2d(
                                x,
                                constant(x, "k", 3, 2, 2, 4),
                                constant(x, "b", 4),
                                Conv2DConfig.builder()
                                        .kH(3)
                                        .kW(2)
                                        .sH(2)
                                        .sW(2)
                                        .paddingMode(PaddingMode.SAME)
                                        .build()));
        image(
                "conv2d, padded, dilated",
                x -> x.getSameDiff()
                        .cnn
                        .conv2d(
                                x,
                                constant(x, "k", 4, 2, 3, 3),
                                constant(x, "b", 4),
                                Conv2DConfig.builder()
                                        .kH(3)
                                        .kW(3)
                                        .pH(1)
                                        .pW(2)
                                        .dH(2)
                                        .dW(1)
                                        .weightsFormat(WeightsFormat.OIYX)
                                        .build()));
        image(
                "conv2d, last channels",
                x -> x.getSameDiff()
                        .cnn
                        .conv2d(
                                last(x),
                                constant(x, "k", 4, 3, 2, 2),
                                constant(x, "b", 4),
                                Conv2DConfig.builder()
                                        .kH(3)
                                        .kW(2)
                                        .dH(2)
                                        .paddingMode(PaddingMode.SAME)
                                        .weightsFormat(WeightsFormat.OYXI)
                                        .dataFormat(Conv2DConfig.NHWC)
                                        .build()));
    }

    private static void poolings() {
        Pooling2DConfig pairs =
                Pooling2DConfig.builder().kH(2).kW(2).sH(2).sW(2).build();
        Pooling2DConfig padded =
                Pooling2DConfig.builder().kH(3).kW(3).sH(2).sW(2).pH(1).pW(1).build();
        Pooling2DConfig counted = Pooling2DConfig.builder()
                .kH(3)
                .kW(3)
                .sH(2)
                .sW(2)
                .pH(1)
                .pW(1)
                .extra(1)
                .build();
        Pooling2DConfig same = Pooling2DConfig.builder()
                .kH(3)
                .kW(2)
                .sH(2)
                .sW(2)
                .paddingMode(PaddingMode.SAME)
                .isNHWC(true)
                .build();
        for (Pooling2DConfig config : List.of(pairs, padded, counted)) {
            image("maxPooling2d " + CASES.size(), x -> x.getSameDiff().cnn.maxPooling2d(x, config));
            image("avgPooling2d " + CASES.size(), x -> x.getSameDiff().cnn.avgPooling2d(x, config));
        }
        image("maxPooling2d, same", x -> x.getSameDiff().cnn.maxPooling2d(last(x), same));
        image("avgPooling2d, same", x -> x.getSameDiff().cnn.avgPooling2d(last(x), same));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("operators")
    void operator_agrees(String name, long[] shape, UnaryOperator<SDVariable> operator) throws Exception {
        Supplier<SameDiff> graph = () -> {
            SameDiff sd = SameDiff.create();
            SDVariable in = sd.placeHolder("input", DataType.FLOAT, shape);
            SDVariable label = sd.placeHolder("label", DataType.FLOAT, -1, 1);
            SDVariable weight = sd.var("w0", Nd4j.valueArrayOf(new long[] {1}, 1.1f, DataType.FLOAT));
            SDVariable x = in.mul(weight);
            // The operator is not part of the loss, so it needs no gradient.
            sd.math
                    .square(x.mean(LongStream.range(1, shape.length)
                                    .mapToInt(d -> (int) d)
                                    .toArray())
                            .reshape(-1, 1)
                            .sub(label))
                    .mean("loss");
            operator.apply(x).rename("predictions");
            return sd;
        };
        TrainedModel trained = new OnnxAgreement(SEED)
                .trained(SameDiffModel.builder(graph)
                        .features("input")
                        .labels("label")
                        .values(1)
                        .loss("loss")
                        .predictions("predictions")
                        .build());

        new OnnxAgreement(SEED).agree(trained, OnnxExport.of(trained).toBytes(), RECORDS);
    }
}
