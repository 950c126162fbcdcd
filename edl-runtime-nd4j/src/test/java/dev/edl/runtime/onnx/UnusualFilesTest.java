package dev.edl.runtime.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.zoo.OnnxNetwork;
import dev.edl.runtime.zoo.SameDiffModel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Reads files whose graphs loop, mix records, share constants, or have constants of other types. */
@Timeout(value = 30, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnusualFilesTest {
    private static final int STRING = 8;
    private static final int DOUBLE = 11;
    private static final String MIXES =
            "\" mixes records: the output of a record depends on the other records of its minibatch";

    private final OnnxGraph graph = new OnnxGraph("test");

    @TempDir
    private Path folder;

    private OnnxNetwork read(byte[] onnx) throws IOException {
        return OnnxNetwork.read(Files.write(folder.resolve("network.onnx"), onnx));
    }

    /** Returns the file of the graph from "x", [records, 2], to a value. */
    private byte[] file(String value) {
        graph.floats("x", OnnxGraph.BATCH, 2);
        graph.output(value, "y", OnnxGraph.BATCH, OnnxGraph.BATCH);
        return graph.toBytes("test", "test");
    }

    /** Returns the product of a value and a new kernel of two columns. */
    private String product(String value) {
        return graph.node("MatMul", List.of(value, graph.constant("w of " + value, new float[] {1, 2, 3, 4}, 2, 2)));
    }

    private void isRefused(String value, String message) {
        byte[] onnx = file(value);
        assertThatThrownBy(() -> read(onnx).regression())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void node_that_depends_on_itself_is_refused() {
        graph.node("Identity", List.of("Identity_1"));
        isRefused(
                product(graph.node("Identity", List.of("Identity_0"))),
                "node Identity \"Identity_0\", which computes \"Identity_0\": is before the node that computes its"
                        + " operand \"Identity_1\"; a file must have its nodes in the order of computation");
    }

    @Test
    void node_without_an_operand_is_refused() {
        isRefused(
                graph.node("Identity", List.of()),
                "node Identity \"Identity_0\", which computes \"Identity_0\": has too few operands");
    }

    @Test
    void difference_of_all_records_is_refused() {
        String product = product("x");
        String each = graph.node("Unsqueeze", List.of(product, graph.constant("axes", new long[] {1}, 1)));
        String pairs = graph.node("Sub", List.of(each, product));
        isRefused(
                graph.node("ReduceMean", List.of(pairs), Map.of("axes", List.of(1L), "keepdims", 0L)),
                "output \"ReduceMean_3" + MIXES);
    }

    @Test
    void product_of_a_value_with_itself_is_refused() {
        String product = product("x");
        isRefused(graph.node("Gemm", List.of(product, product), Map.of("transB", 1L)), "output \"Gemm_1" + MIXES);
    }

    @Test
    void reshape_of_two_records_to_one_is_refused() {
        String rows = graph.node("Reshape", List.of("x", graph.constant("four", new long[] {-1, 4}, 2)));
        String kernel = graph.constant("w", new float[16], 4, 4);
        String product = graph.node("MatMul", List.of(rows, kernel));
        isRefused(
                graph.node("Reshape", List.of(product, graph.constant("two", new long[] {-1, 2}, 2))),
                "output \"Reshape_2" + MIXES);
    }

    @Test
    void normalization_by_the_minibatch_is_refused() {
        String one = graph.constant("one", new float[] {1, 1}, 2);
        isRefused(
                product(graph.node(
                        "BatchNormalization", List.of("x", one, one, one, one), Map.of("training_mode", 1L))),
                "node BatchNormalization \"BatchNormalization_0\", which computes \"BatchNormalization_0\": mixes"
                        + " records: its training_mode is 1");
    }

    @Test
    void input_too_large_for_a_record_is_refused() {
        graph.floats("x", OnnxGraph.BATCH, 1L << 40);
        graph.output(product("x"), "y", OnnxGraph.BATCH, OnnxGraph.BATCH);
        byte[] onnx = graph.toBytes("test", "test");
        assertThatThrownBy(() -> read(onnx).regression())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "input \"x\" must have at most 100000000 floats a record, had the shape [-1, 1099511627776]");
    }

    /** PyTorch exports a new layer so: mean and variance are Identity of bias and scale. */
    @Test
    void variance_that_is_also_the_scale_stays_as_it_is() throws IOException {
        String scale = graph.constant("scale", new float[] {1, 1}, 2);
        String bias = graph.constant("bias", new float[] {0, 0}, 2);
        String mean = graph.node("Identity", List.of(bias));
        String variance = graph.node("Identity", List.of(scale));
        SameDiffModel model = read(file(graph.node("BatchNormalization", List.of("x", scale, bias, mean, variance))))
                .regression();

        // The layout has bias before scale. 1 / sqrt(1 + 1e-5) is 0.999995.
        assertThat(outputs(model, 0, 0, 4, 4)).containsExactly(new float[] {2, -4}, within(1e-4f));
        assertThat(outputs(model, 1, 1, 1, 1)).containsExactly(new float[] {1.5f, 0}, within(1e-4f));
    }

    /** Returns the outputs of the record 0.5, -1. */
    private static float[] outputs(SameDiffModel model, float... weights) {
        return TrainedModel.of(model, ModelSnapshot.of(1, weights, List.of())).predict(0.5f, -1);
    }

    @Test
    void product_of_a_sequence_and_a_matrix_is_trained() throws Exception {
        String rows = graph.node("Reshape", List.of("x", graph.constant("to", new long[] {0, 2, 1}, 3)));
        String kernel = graph.constant("w", new float[] {1, 10}, 1, 2);
        String product = graph.node("MatMul", List.of(rows, kernel));
        SameDiffModel model =
                read(file(graph.node("Flatten", List.of(product)))).regression();

        assertThat(outputs(model, 1, 10)).containsExactly(0.5f, 5, -1, -10);
    }

    @Test
    void node_after_an_incomputable_one_is_not_blamed() {
        String kernel = graph.constant("w", new float[6], 3, 2);
        isRefusedStarting(
                graph.node("Flatten", List.of(graph.node("MatMul", List.of("x", kernel)))),
                "node MatMul \"MatMul_0\", which computes \"MatMul_0\": SameDiff cannot compute it from operands of"
                        + " shapes [[2, 2], [3, 2]]: ");
    }

    private void isRefusedStarting(String value, String start) {
        byte[] onnx = file(value);
        assertThatThrownBy(() -> read(onnx).regression())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(start);
    }

    /** Changes the type of a constant, which is three bytes before its name. */
    private static byte[] typed(byte[] onnx, String constant, int type) {
        byte[] changed = onnx.clone();
        changed[new String(onnx, StandardCharsets.ISO_8859_1).lastIndexOf(constant) - 3] = (byte) type;
        return changed;
    }

    @Test
    void constant_of_another_type_is_read_if_no_node_needs_it() throws IOException {
        graph.constant("classes", new float[] {1, 2}, 2);
        byte[] onnx = typed(file(product("x")), "classes", STRING);
        assertThat(read(onnx).classifier().outputs()).isEqualTo(2);
    }

    @Test
    void needed_constant_of_another_type_is_refused() {
        byte[] onnx = typed(file(product("x")), "w of x", DOUBLE);
        assertThatThrownBy(() -> read(onnx).regression())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("parameter \"w of x\" must be FLOAT, was DOUBLE [2, 2]");
    }
}
