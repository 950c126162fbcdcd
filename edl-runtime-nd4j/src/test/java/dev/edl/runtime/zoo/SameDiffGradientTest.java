package dev.edl.runtime.zoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.Parameter;
import dev.edl.runtime.model.ParameterLayout;
import dev.edl.runtime.zoo.internal.graph.LabelEncoding;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The same network as a graph, as an {@link Mlp} and written out naively. */
class SameDiffGradientTest {
    @ParameterizedTest
    @CsvSource({
        "ONE_HOT, 3 2, 1, 1",
        "ONE_HOT, 5 4 3, 8, 8",
        "ONE_HOT, 5 4 3, 8, 3",
        "ONE_HOT, 7 5 4 3, 16, 1",
        "INDEX, 5 4 3, 8, 8",
        "INDEX, 5 4 3, 8, 1",
    })
    void agrees_with_central_differences_and_with_the_mlp(LabelEncoding form, String text, int capacity, int size) {
        int[] widths =
                Arrays.stream(text.split(" ")).mapToInt(Integer::parseInt).toArray();
        Mlp mlp = Mlp.of(widths[0], Arrays.copyOfRange(widths, 1, widths.length));
        SameDiffModel model = form == LabelEncoding.ONE_HOT ? DenseGraph.oneHot(widths) : DenseGraph.indices(widths);
        long seed = 23;
        Batch batch = RandomData.batch(seed, capacity, size, widths[0], mlp.outputs());
        float[] parameters = RandomData.parameters(seed + 1, mlp.layout().size());
        float[] ofMlp = new float[parameters.length];
        float[] ofGraph = new float[parameters.length];
        float[] outputsOfMlp = new float[size * mlp.outputs()];
        float[] outputsOfGraph = new float[outputsOfMlp.length];
        float lossOfMlp;
        float lossOfGraph;
        try (Model.Session session = mlp.open(capacity)) {
            lossOfMlp = session.gradient(parameters, batch, ofMlp);
            session.predict(parameters, batch, outputsOfMlp);
        }
        try (Model.Session session = model.open(capacity)) {
            float[] same = toGraph(mlp.layout(), parameters, model.layout());
            session.gradient(same, RandomData.batch(3, capacity, capacity, widths[0], mlp.outputs()), ofGraph);
            lossOfGraph = session.gradient(same, batch, ofGraph);
            session.predict(same, batch, outputsOfGraph);
        }

        assertThat(lossOfGraph).isCloseTo(lossOfMlp, within(1e-5f));
        assertThat(outputsOfGraph).containsExactly(outputsOfMlp, within(1e-5f));
        assertThat(ofGraph).containsExactly(toGraph(mlp.layout(), ofMlp, model.layout()), within(1e-5f));
        double[] expected = ReferenceMlp.gradient(mlp.layout(), parameters, batch);
        float[] exact = new float[expected.length];
        for (int i = 0; i < exact.length; i++) {
            exact[i] = (float) expected[i];
        }
        assertThat(ofGraph)
                .as("seed %d", seed)
                .containsExactly(toGraph(mlp.layout(), exact, model.layout()), within(2e-6f));
    }

    /** Moves dense/kernel to w0, dense/bias to b0, dense_1/kernel to w1 and so on. */
    private static float[] toGraph(ParameterLayout from, float[] vector, ParameterLayout to) {
        float[] moved = new float[vector.length];
        for (int i = 0; i < from.parameters().size(); i++) {
            Parameter source = from.parameters().get(i);
            String name = (i % 2 == 0 ? "w" : "b") + i / 2;
            Parameter target = to.parameters().stream()
                    .filter(p -> p.name().equals(name))
                    .findFirst()
                    .orElseThrow();
            System.arraycopy(vector, source.offset(), moved, target.offset(), source.length());
        }
        return moved;
    }
}
