package dev.edl.runtime.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.zoo.SameDiffModel;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.weightinit.impl.XavierInitScheme;

/** Exports graphs in less usual forms: each agrees in ONNX Runtime with SameDiff, or is refused before a training. */
class UnusualGraphsTest {
    private static final long SEED = 20261201;

    private final OnnxAgreement runtime = new OnnxAgreement(SEED);

    private static SDVariable weights(SameDiff sd, String name, long... shape) {
        return sd.var(name, new XavierInitScheme('c', shape[0], shape[shape.length - 1]), DataType.FLOAT, shape);
    }

    /** Returns a regression of six numbers: the graph's values times a parameter. */
    private static SameDiffModel model(String parameter, UnaryOperator<SDVariable> operator) {
        Supplier<SameDiff> graph = () -> {
            SameDiff sd = SameDiff.create();
            SDVariable in = sd.placeHolder("input", DataType.FLOAT, -1, 6);
            SDVariable label = sd.placeHolder("label", DataType.FLOAT, -1, 6);
            SDVariable x = operator.apply(in.mul(weights(sd, parameter, 6)));
            SDVariable y = sd.identity("y", x);
            y.sub(label).mul(y.sub(label)).mean().rename("loss");
            return sd;
        };
        return SameDiffModel.builder(graph)
                .features("input")
                .labels("label")
                .values(6)
                .loss("loss")
                .predictions("y")
                .build();
    }

    private static Arguments form(String name, UnaryOperator<SDVariable> operator) {
        return Arguments.of(name, operator);
    }

    private static SDVariable ints(SDVariable x, String name, int... values) {
        return x.getSameDiff().constant(name, Nd4j.createFromArray(values));
    }

    private static SDVariable longs(SDVariable x, String name, long... values) {
        return x.getSameDiff().constant(name, Nd4j.createFromArray(values));
    }

    static Stream<Arguments> forms() {
        return Stream.of(
                form("mean over a variable's axes", x -> x.mul(x.getSameDiff().mean(x, longs(x, "axes", 1), true))),
                form("mean over a negative axis", x -> x.mul(x.mean(true, -1))),
                form(
                        "permute by a variable",
                        x -> x.getSameDiff()
                                .permute(x.reshape(-1, 2, 3), longs(x, "axes", 0, 2, 1))
                                .reshape(-1, 6)),
                form(
                        "tile by a variable",
                        x -> x.getSameDiff()
                                .tile(
                                        x.reshape(-1, 2, 3).mean(2),
                                        longs(x, "times", 1, 3).castTo(DataType.INT32))),
                form(
                        "tile by a constant",
                        x -> x.getSameDiff().tile(x.reshape(-1, 2, 3).mean(2), ints(x, "times", 1, 3))),
                form(
                        "reshape by a variable",
                        x -> x.getSameDiff()
                                .reshape(x, longs(x, "to", -1, 2, 3))
                                .reshape(-1, 6)),
                form("reshape by an int variable", x -> x.getSameDiff().reshape(x, ints(x, "to", -1, 6))),
                form("plus a double constant", x -> x.add(x.getSameDiff().constant("d", Nd4j.createFromArray(0.5)))),
                form(
                        "constant with a derived name",
                        x -> x.getSameDiff().reshape("reshaped", x, longs(x, "reshaped/shape", -1, 6))),
                form("constants of one helper", x -> {
                    SDVariable c = x.getSameDiff().constant("scaled/scalar", Nd4j.scalar(2f));
                    return x.mul(2.5).rename("scaled").mul(c);
                }),
                form("shared subexpression", x -> {
                    SDVariable a = x.getSameDiff().math.tanh(x);
                    SDVariable b = a.mul(a).add(a);
                    return b.mul(b).add(b).sub(a);
                }),
                form("chain of 3,000 operators", x -> {
                    SDVariable last = x;
                    for (int i = 0; i < 3000; i++) {
                        last = x.getSameDiff().math.neg(last);
                    }
                    return last;
                }),
                form("scalar constant of rank 0", x -> x.mul(x.getSameDiff().constant("c", Nd4j.scalar(3f)))),
                form("squeeze", x -> x.getSameDiff().squeeze(x.getSameDiff().expandDims(x, 1), 1)),
                form(
                        "expand at the end",
                        x -> x.getSameDiff().squeeze(x.getSameDiff().expandDims(x, -1), -1)),
                form("variance", x -> x.div(x.std("deviation", false, true, 1).add(1))),
                form(
                        "transpose twice",
                        x -> x.getSameDiff().transpose(x.getSameDiff().transpose(x))),
                form(
                        "dot with transposed result",
                        x -> x.getSameDiff()
                                .mmul(
                                        x.getSameDiff()
                                                .constant(
                                                        "k",
                                                        Nd4j.linspace(DataType.FLOAT, -1, 0.05, 36)
                                                                .reshape(6, 6)
                                                                .dup('f')),
                                        x,
                                        true,
                                        true,
                                        true)),
                form(
                        "f ordered constant",
                        x -> x.mmul(x.getSameDiff()
                                .constant(
                                        "k",
                                        Nd4j.linspace(DataType.FLOAT, -1, 0.05, 36)
                                                .reshape(6, 6)
                                                .transpose()))),
                form("view constant", x -> {
                    INDArray all = Nd4j.linspace(DataType.FLOAT, -1, 0.05, 60).reshape(6, 10);
                    return x.mul(x.getSameDiff().constant("k", all.getColumn(3)));
                }),
                form(
                        "softmax over rows",
                        x -> x.getSameDiff().nn.softmax(x.reshape(-1, 2, 3), 1).reshape(-1, 6)),
                form("relu with cutoff", x -> x.getSameDiff().nn.relu(x, 0.2)),
                form("relu6 with cutoff", x -> x.getSameDiff().nn.relu6(x.mul(9), 0.2)),
                form("pow int constant", x -> x.getSameDiff().math.pow(x, 3)),
                form("stack at the end", x -> x.getSameDiff().stack(-1, x, x).mean(-1)),
                form("standardize", x -> x.getSameDiff().math.standardize(x, 1)),
                form(
                        "layer norm",
                        x -> x.getSameDiff()
                                .nn
                                .layerNorm(
                                        x,
                                        x.getSameDiff().constant("g", Nd4j.linspace(DataType.FLOAT, 1, 0.1, 6)),
                                        true,
                                        1)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("forms")
    void agrees_or_is_refused(String name, UnaryOperator<SDVariable> operator) throws Exception {
        SameDiffModel model = model("w", operator);
        TrainedModel trained = runtime.trained(model);
        Optional<String> refusal = OnnxExport.refusal(model);
        if (refusal.isPresent()) {
            assertThat(refusal.get()).contains(" has no ONNX form: ");
            return;
        }
        byte[] onnx = OnnxExport.of(trained).toBytes();
        runtime.agree(trained, onnx, 7);
        runtime.agree(trained, onnx, 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"outputs", "features", "ids", "Mul_0", "Identity_1", "y/scalar", "w"})
    void a_model_whose_export_fails_is_refused_before_it_is_trained(String parameter) {
        SameDiffModel model = model(parameter, x -> x.mul(2));
        TrainedModel trained = runtime.trained(model);
        if (OnnxExport.refusal(model).isEmpty()) {
            assertThatCode(() -> OnnxExport.of(trained).toBytes()).doesNotThrowAnyException();
        }
    }
}
