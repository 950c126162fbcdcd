package dev.edl.runtime.zoo;

import dev.edl.runtime.model.EmbeddingValues;
import dev.edl.runtime.model.Parameter;
import dev.edl.runtime.model.ParameterLayout;
import dev.edl.runtime.onnx.OnnxGraph;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Layers of the zoo's networks as ONNX nodes. Their parameters have the names of the layout. */
final class OnnxLayers {
    /** Largest number of rows of an exported table. */
    private static final long MOST_ROWS = 20_000_000;

    private final OnnxGraph graph;
    private final ParameterLayout layout;
    private final float[] weights;

    OnnxLayers(OnnxGraph graph, ParameterLayout layout, float[] weights) {
        this.graph = graph;
        this.layout = layout;
        this.weights = weights;
    }

    private Parameter find(String name) {
        return layout.parameters().stream()
                .filter(parameter -> parameter.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no parameter " + name + " in " + layout));
    }

    private float[] values(Parameter parameter) {
        return Arrays.copyOfRange(weights, parameter.offset(), parameter.end());
    }

    /** Adds a parameter as it is, and returns its name. */
    String parameter(String name) {
        Parameter parameter = find(name);
        return graph.constant(
                name,
                values(parameter),
                parameter.shape().stream().mapToLong(Integer::longValue).toArray());
    }

    /** Adds {@code x kernel + bias}. */
    String dense(String x, String name) {
        return graph.node("Gemm", List.of(x, parameter(name + "/kernel"), parameter(name + "/bias")));
    }

    String softmax(String scores) {
        return graph.node("Softmax", List.of(scores), Map.of("axis", 1L));
    }

    String reshape(String x, String name, long... shape) {
        return graph.node("Reshape", List.of(x, graph.constant(name, shape, shape.length)));
    }

    /** Adds a convolution with bias and without padding. The kernel's axes become those of ONNX: [out, in, height, width]. */
    String convolution(String x, String name) {
        Parameter kernel = find(name + "/kernel");
        int height = kernel.shape().get(0);
        int width = kernel.shape().get(1);
        int in = kernel.shape().get(2);
        int out = kernel.shape().get(3);
        float[] from = values(kernel);
        float[] to = new float[from.length];
        for (int place = 0; place < height * width; place++) {
            for (int i = 0; i < in; i++) {
                for (int o = 0; o < out; o++) {
                    to[(o * in + i) * height * width + place] = from[(place * in + i) * out + o];
                }
            }
        }
        return graph.node(
                "Conv",
                List.of(x, graph.constant(kernel.name(), to, out, in, height, width), parameter(name + "/bias")));
    }

    /**
     * Adds the rows of a table for ids: float [batch, ids, dimension]. The file has a row for each id from 0 to the largest
     * trained one; the rows of negative and larger ids are 0.
     *
     * @throws IllegalArgumentException when the largest trained id is too large for that
     */
    String rows(String ids, EmbeddingValues table) {
        long largest = Arrays.stream(table.ids()).max().orElse(-1);
        if (largest >= MOST_ROWS) {
            throw new IllegalArgumentException("the ONNX form of the table " + table.name()
                    + " has a row for each id from 0, so its ids must be less than " + MOST_ROWS + ", was " + largest
                    + "; hash the ids into fewer buckets, or export an .npz file");
        }
        int count = (int) largest + 1;
        float[] rows = new float[Math.multiplyExact(count + 1, table.dimension())];
        for (int id = 0; id < count; id++) {
            table.read(id, rows, id * table.dimension());
        }
        String none = graph.constant(table.name() + "/none", new long[] {count}, 1);
        String zero = graph.constant(table.name() + "/first", new long[] {0}, 1);
        String negative = graph.node("Less", List.of(ids, zero));
        String larger = graph.node("Greater", List.of(ids, none));
        String absent = graph.node("Or", List.of(negative, larger));
        String index = graph.node("Where", List.of(absent, none, ids));
        return graph.node("Gather", List.of(graph.constant(table.name(), rows, count + 1L, table.dimension()), index));
    }
}
