package dev.edl.runtime.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.within;

import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.data.Standardization;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.Parameter;
import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.zoo.DeepFm;
import dev.edl.runtime.zoo.Mlp;
import dev.edl.runtime.zoo.MnistCnn;
import dev.edl.runtime.zoo.OnnxNetwork;
import dev.edl.runtime.zoo.SameDiffModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads networks of ONNX files: their outputs agree with ONNX Runtime, and they train on. */
class OnnxNetworkTest {
    private static final long SEED = 20261128;
    private static final int RECORDS = 100;

    private final OnnxAgreement runtime = new OnnxAgreement(SEED);
    private final Random random = new Random(SEED);

    @TempDir
    private Path folder;

    private OnnxNetwork read(byte[] onnx) throws IOException {
        return OnnxNetwork.read(Files.write(folder.resolve("network.onnx"), onnx));
    }

    /** Returns a model with its initial parameters, those of the file. */
    private static TrainedModel initial(Model model) {
        float[] weights = new float[model.layout().size()];
        model.initialize(weights, SEED);
        return TrainedModel.of(model, ModelSnapshot.of(1, weights, List.of()));
    }

    private void agrees(SameDiffModel model, byte[] onnx) throws Exception {
        runtime.agree(initial(model), onnx, RECORDS);
    }

    static Stream<Model> networks() {
        return Stream.of(Mlp.of(4, 3), Mlp.of(64, 32, 16, 10), new MnistCnn());
    }

    @ParameterizedTest
    @MethodSource("networks")
    void exported_network_is_read_with_its_parameters(Model model) throws Exception {
        TrainedModel trained = runtime.trained(model);
        byte[] onnx = OnnxExport.of(trained).toBytes();

        SameDiffModel read = read(onnx).classifier();

        agrees(read, onnx);
        assertThat(names(model)).containsAll(names(read));
        byte[] again = OnnxExport.of(initial(read)).toBytes();
        agrees(read(again).classifier(), onnx);
    }

    @Test
    void standardization_of_a_file_is_not_trained() throws Exception {
        byte[] onnx = OnnxExport.of(runtime.trained(Mlp.of(3, 2)))
                .standardized(Standardization.of(new double[] {0.5, -2, 0.5}, new double[] {2, 0.25, 1}))
                .toBytes();

        SameDiffModel read = read(onnx).classifier();

        agrees(read, onnx);
        assertThat(names(read)).containsExactly("dense/bias", "dense/kernel");
    }

    private static List<String> names(Model model) {
        return model.layout().parameters().stream().map(Parameter::name).toList();
    }

    private float[] values(int count) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = random.nextFloat() - 0.5f;
        }
        return values;
    }

    /** Nodes between "features" and "outputs". */
    @FunctionalInterface
    private interface Nodes {
        String add(OnnxGraph graph, OnnxNetworkTest test);
    }

    private byte[] file(Nodes nodes, long features) {
        OnnxGraph graph = new OnnxGraph("test");
        graph.floats("features", OnnxGraph.BATCH, features);
        graph.output(nodes.add(graph, this), "outputs", OnnxGraph.BATCH, OnnxGraph.BATCH);
        return graph.toBytes("test", "test");
    }

    private String kernel(OnnxGraph graph, String name, long... shape) {
        return graph.constant(name, values((int) LongStream.of(shape).reduce(1, (a, b) -> a * b)), shape);
    }

    /** A network as PyTorch exports Linear, with the kernel transposed. */
    private static String linear(OnnxGraph graph, OnnxNetworkTest test, String x, String name, int from, int to) {
        return graph.node(
                "Gemm",
                List.of(x, test.kernel(graph, name + ".weight", to, from), test.kernel(graph, name + ".bias", to)),
                Map.of("transB", 1L, "alpha", 1f, "beta", 1f));
    }

    private static Arguments form(String name, Nodes nodes) {
        return Arguments.of(name, nodes);
    }

    private static Arguments activation(String operator, Map<String, ?> attributes) {
        return form(operator, (graph, test) -> {
            String hidden = linear(graph, test, "features", "first", 6, 6);
            return linear(graph, test, graph.node(operator, List.of(hidden), attributes), "last", 6, 3);
        });
    }

    private static String floats(OnnxGraph graph, String name, float... values) {
        return values.length == 1 ? graph.constant(name, values) : graph.constant(name, values, values.length);
    }

    static Stream<Arguments> forms() {
        return Stream.of(
                activation("Relu", Map.of()),
                activation("Tanh", Map.of()),
                activation("Sigmoid", Map.of()),
                activation("Softplus", Map.of()),
                activation("Softsign", Map.of()),
                activation("Elu", Map.of()),
                activation("LeakyRelu", Map.of("alpha", 0.2f)),
                activation("LeakyRelu", Map.of()),
                activation("Softmax", Map.of("axis", 1L)),
                activation("LogSoftmax", Map.of()),
                activation("Exp", Map.of()),
                activation("Erf", Map.of()),
                activation("Abs", Map.of()),
                activation("Dropout", Map.of()),
                activation("Neg", Map.of()),
                activation("Selu", Map.of()),
                activation("Cast", Map.of("to", 1L)),
                form("GELU as PyTorch writes it", (graph, test) -> {
                    String x = linear(graph, test, "features", "first", 6, 6);
                    String erf = graph.node(
                            "Erf", List.of(graph.node("Div", List.of(x, floats(graph, "root", 1.4142135f)))));
                    String sum = graph.node("Add", List.of(erf, floats(graph, "one", 1)));
                    String product = graph.node("Mul", List.of(x, sum));
                    return linear(
                            graph,
                            test,
                            graph.node("Mul", List.of(product, floats(graph, "half", 0.5f))),
                            "last",
                            6,
                            3);
                }),
                form(
                        "scaled product",
                        (graph, test) -> graph.node(
                                "Gemm",
                                List.of("features", test.kernel(graph, "w", 6, 3), test.kernel(graph, "b", 3)),
                                Map.of("alpha", 0.5f, "beta", 2f))),
                form(
                        "product and sum",
                        (graph, test) -> graph.node(
                                "Add",
                                List.of(
                                        test.kernel(graph, "b", 3),
                                        graph.node("MatMul", List.of("features", test.kernel(graph, "w", 6, 3)))))),
                form("reshaped and reduced", (graph, test) -> {
                    String x = linear(graph, test, "features", "first", 6, 12);
                    String square = graph.node("Reshape", List.of(x, graph.constant("to", new long[] {0, 3, -1}, 3)));
                    String turned = graph.node("Transpose", List.of(square), Map.of("perm", List.of(0L, 2L, 1L)));
                    return graph.node("ReduceMean", List.of(turned), Map.of("axes", List.of(-2L), "keepdims", 0L));
                }),
                form("sum over axes of an operand", (graph, test) -> {
                    String x = linear(graph, test, "features", "first", 6, 12);
                    String square = graph.node("Reshape", List.of(x, graph.constant("to", new long[] {-1, 3, 4}, 3)));
                    String sum = graph.node("ReduceSum", List.of(square, graph.constant("axes", new long[] {2}, 1)));
                    return graph.node("Squeeze", List.of(sum, graph.constant("dropped", new long[] {2}, 1)));
                }),
                form("residual and concatenated", (graph, test) -> {
                    String x = linear(graph, test, "features", "first", 6, 6);
                    String sum = graph.node("Add", List.of(x, "features"));
                    String both = graph.node("Concat", List.of(sum, "features"), Map.of("axis", -1L));
                    return linear(graph, test, both, "last", 12, 3);
                }),
                form(
                        "clipped",
                        (graph, test) -> graph.node(
                                "Clip",
                                List.of(
                                        linear(graph, test, "features", "first", 6, 3),
                                        floats(graph, "least", -0.5f),
                                        floats(graph, "most", 0.5f)))),
                form("unsqueezed", (graph, test) -> {
                    String x = linear(graph, test, "features", "first", 6, 3);
                    String axes = graph.constant("axes", new long[] {1, -1}, 2);
                    return graph.node("Flatten", List.of(graph.node("Unsqueeze", List.of(x, axes))));
                }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("forms")
    void network_computes_what_onnx_runtime_computes(String name, Nodes nodes) throws Exception {
        byte[] onnx = file(nodes, 6);

        SameDiffModel model = read(onnx).regression();

        agrees(model, onnx);
        hasGradient(model);
    }

    private static Map<String, Object> window(long kernel, long stride, Long... pads) {
        return Map.of(
                "kernel_shape", List.of(kernel, kernel), "strides", List.of(stride, stride), "pads", List.of(pads));
    }

    private static String convolution(OnnxGraph graph, OnnxNetworkTest test, String image, Map<String, ?> window) {
        long size = (Long) ((List<?>) Objects.requireNonNull(window.get("kernel_shape"))).get(0);
        return graph.node(
                "Conv", List.of(image, test.kernel(graph, "w", 3, 2, size, size), test.kernel(graph, "b", 3)), window);
    }

    /** Nodes of an image, [records, 2, 4, 4]. */
    @FunctionalInterface
    private interface ImageNodes {
        String add(OnnxGraph graph, OnnxNetworkTest test, String image);
    }

    private static Arguments image(String name, ImageNodes nodes) {
        return form(name, (graph, test) -> {
            String shape = graph.constant("shape", new long[] {-1, 2, 4, 4}, 4);
            String image = graph.node("Reshape", List.of("features", shape));
            return graph.node("Flatten", List.of(nodes.add(graph, test, image)));
        });
    }

    static Stream<Arguments> images() {
        Map<String, ?> point = window(1, 1, 0L, 0L, 0L, 0L);
        return Stream.of(
                image("convolution", (graph, test, x) -> convolution(graph, test, x, window(3, 1, 1L, 1L, 1L, 1L))),
                image("strides", (graph, test, x) -> convolution(graph, test, x, window(2, 2, 0L, 0L, 0L, 0L))),
                image("one-sided", (graph, test, x) -> convolution(graph, test, x, window(2, 1, 0L, 0L, 1L, 1L))),
                image(
                        "same size",
                        (graph, test, x) -> graph.node(
                                "Conv",
                                List.of(x, test.kernel(graph, "w", 3, 2, 2, 2)),
                                Map.of("auto_pad", "SAME_UPPER", "strides", List.of(2L, 2L)))),
                image("zeros around", (graph, test, x) -> {
                    String pads = graph.constant("pads", new long[] {0, 0, 1, 0, 0, 0, 0, 2}, 8);
                    return graph.node(
                            "Pad", List.of(convolution(graph, test, x, point), pads), Map.of("mode", "constant"));
                }),
                image(
                        "largest",
                        (graph, test, x) -> graph.node(
                                "MaxPool", List.of(convolution(graph, test, x, point)), window(2, 2, 0L, 0L, 0L, 0L))),
                image(
                        "padded largest",
                        (graph, test, x) -> graph.node(
                                "MaxPool", List.of(convolution(graph, test, x, point)), window(3, 2, 1L, 1L, 1L, 1L))),
                image(
                        "mean",
                        (graph, test, x) -> graph.node(
                                "AveragePool",
                                List.of(convolution(graph, test, x, point)),
                                window(3, 1, 1L, 1L, 1L, 1L))),
                image("normalized", (graph, test, x) -> {
                    String normal = graph.node(
                            "BatchNormalization",
                            List.of(
                                    convolution(graph, test, x, point),
                                    test.kernel(graph, "scale", 3),
                                    test.kernel(graph, "bias", 3),
                                    test.kernel(graph, "mean", 3),
                                    floats(graph, "variance", 1, 2, 0.5f)),
                            Map.of("epsilon", 1e-3f));
                    return graph.node("GlobalAveragePool", List.of(normal));
                }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("images")
    void network_of_images_computes_what_onnx_runtime_computes(String name, Nodes nodes) throws Exception {
        byte[] onnx = file(nodes, 32);

        SameDiffModel model = read(onnx).regression();

        agrees(model, onnx);
        hasGradient(model);
    }

    /** Asserts that the gradient in a random direction agrees with a central difference of the loss. */
    private void hasGradient(SameDiffModel model) {
        float[] parameters = new float[model.layout().size()];
        model.initialize(parameters, SEED);
        float[] direction = values(parameters.length);
        float[] gradient = new float[parameters.length];
        int size = 8;
        Batch batch = Batch.of(model, size);
        for (int i = 0; i < size; i++) {
            batch.row();
        }
        for (float[] array : List.of(batch.features(), batch.labels())) {
            for (int i = 0; i < array.length; i++) {
                array[i] = random.nextFloat();
            }
        }
        double step = 1e-2;
        double slope = 0;
        double difference;
        try (Model.Session session = model.open(size)) {
            session.gradient(parameters, batch, gradient);
            for (int i = 0; i < gradient.length; i++) {
                slope += gradient[i] * direction[i];
            }
            float after = session.gradient(moved(parameters, direction, step), batch, gradient);
            difference = (after - session.gradient(moved(parameters, direction, -step), batch, gradient)) / (2 * step);
        }
        assertThat(slope).as("seed %d", SEED).isCloseTo(difference, within(1e-3 + 0.03 * Math.abs(difference)));
        assertThat(slope).isNotZero();
    }

    private static float[] moved(float[] from, float[] direction, double step) {
        float[] moved = from.clone();
        for (int i = 0; i < moved.length; i++) {
            moved[i] += (float) (step * direction[i]);
        }
        return moved;
    }

    private static Arguments refused(String message, Nodes nodes) {
        return Arguments.of(message, nodes);
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                refused(
                        "node Resize \"Resize_0\", which computes \"Resize_0\": is an operator that EDL does not read; it"
                                + " reads Abs, Add, ",
                        (graph, test) -> linear(graph, test, graph.node("Resize", List.of("features")), "w", 6, 3)),
                refused(
                        "node Reshape \"Reshape_1\", which computes \"Reshape_1\": has shape [1, 3], whose first dimension"
                                + " must be -1 or 0, the records",
                        (graph, test) -> graph.node(
                                "Reshape",
                                List.of(
                                        linear(graph, test, "features", "w", 6, 3),
                                        graph.constant("to", new long[] {1, 3}, 2)))),
                refused(
                        "node Shape \"Shape_1\", which computes \"Shape_1\": reads the number of records; in PyTorch,"
                                + " torch.flatten(x, 1) replaces x.view(x.size(0), -1)",
                        (graph, test) -> {
                            String x = linear(graph, test, "features", "w", 6, 3);
                            return graph.node("Reshape", List.of(x, graph.node("Shape", List.of(x))));
                        }),
                refused(
                        "node Gemm \"Gemm_0\", which computes \"Gemm_0\": SameDiff cannot compute it from operands of"
                                + " shapes [[2, 6], [3, 7], [3]]: ",
                        (graph, test) -> linear(graph, test, "features", "w", 7, 3)),
                refused(
                        "the network has no parameters: no constant of floats is an operand of Conv, Gemm, MatMul",
                        (graph, test) -> graph.node("Relu", List.of("features"))),
                refused(
                        "node ReduceMean \"ReduceMean_1\", which computes \"ReduceMean_1\": mixes records: its axis is"
                                + " 0",
                        (graph, test) -> graph.node(
                                "ReduceMean",
                                List.of(linear(graph, test, "features", "w", 6, 3)),
                                Map.of("axes", List.of(0L)))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refusals")
    void network_that_edl_cannot_train_is_refused(String message, Nodes nodes) {
        assertThatThrownBy(() -> read(file(nodes, 6)).regression())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void file_with_a_fixed_number_of_records_takes_any() throws Exception {
        OnnxGraph graph = new OnnxGraph("test");
        graph.floats("features", 1, 6);
        graph.output(linear(graph, this, "features", "w", 6, 3), "outputs", 1, 3);
        SameDiffModel model = read(graph.toBytes("test", "test")).classifier();

        assertThat(initial(model).predictAll(List.of(values(6), values(6), values(6))))
                .hasSize(3);
        hasGradient(read(graph.toBytes("test", "test")).regression());
    }

    @Test
    void input_of_variable_size_is_refused() {
        OnnxGraph graph = new OnnxGraph("test");
        graph.floats("x", OnnxGraph.BATCH, OnnxGraph.BATCH);
        graph.output(linear(graph, this, "x", "w", 6, 3), "outputs", OnnxGraph.BATCH, 3);

        assertThatThrownBy(() -> read(graph.toBytes("test", "test")).classifier())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "input \"x\" must have the shape [records, size, ...], whose sizes are fixed, had [-1, -1]");
    }

    @Test
    void score_of_one_class_is_trained_as_a_probability() throws Exception {
        byte[] onnx =
                file((graph, test) -> graph.node("Sigmoid", List.of(linear(graph, test, "features", "w", 6, 1))), 6);

        SameDiffModel model = read(onnx).probability();

        agrees(model, onnx);
        hasGradient(model);
    }

    @Test
    void another_output_is_chosen_by_its_name() throws Exception {
        OnnxGraph graph = new OnnxGraph("test");
        graph.floats("features", OnnxGraph.BATCH, 6);
        String scores = linear(graph, this, "features", "w", 6, 3);
        graph.output(graph.node("Resize", List.of(scores)), "label", OnnxGraph.BATCH);
        graph.output(graph.node("Softmax", List.of(scores), Map.of("axis", 1L)), "outputs", OnnxGraph.BATCH, 3);
        OnnxNetwork network = read(graph.toBytes("test", "test"));

        assertThat(network.output("outputs").classifier().outputs()).isEqualTo(3);
        assertThatThrownBy(network::classifier).hasMessageStartingWith("node Resize ");
        assertThatThrownBy(() -> network.output("scores"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("output must be one of [label, outputs], was \"scores\"");
    }

    @Test
    void damaged_file_is_refused() {
        byte[] onnx = OnnxExport.of(runtime.trained(Mlp.of(4, 3))).toBytes();
        for (int cut = 0; cut < onnx.length; cut++) {
            byte[] part = Arrays.copyOf(onnx, cut);
            isReadOrRefused(part, "cut at byte " + cut);
        }
        for (int i = 0; i < 5000; i++) {
            byte[] changed = onnx.clone();
            int at = random.nextInt(changed.length);
            changed[at] = (byte) random.nextInt();
            isReadOrRefused(changed, "seed " + SEED + ", change " + i + " at byte " + at);
        }
        assertThatThrownBy(() -> read(new byte[] {8, 7}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(folder.resolve("network.onnx")
                        + " cannot be read as an ONNX file: it has no graph or no operator set");
    }

    private static void isReadOrRefused(byte[] onnx, String how) {
        Throwable failure = catchThrowable(() -> OnnxFile.of(onnx));
        if (failure != null) {
            assertThat(failure).as(how).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void network_with_ids_is_refused() {
        byte[] onnx = OnnxExport.of(runtime.trained(
                        DeepFm.builder().fields(2).dimension(2).hidden(3).build()))
                .toBytes();

        assertThatThrownBy(() -> read(onnx).probability())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the network must have one input of floats, had [ids (no floats)]; a network with ids is"
                        + " trained with EDL's embedding tables");
    }
}
