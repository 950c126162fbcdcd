package dev.edl.runtime.zoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.edl.runtime.ModelContract;
import dev.edl.runtime.initializers.Initializer;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.EmbeddingTable;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.Parameter;
import dev.edl.runtime.model.ParameterLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.api.buffer.DataType;

/** Graphs with embedding tables: a {@link DeepFm} as a graph, by hand, and by its formula. */
class SameDiffTablesTest {
    @ParameterizedTest
    @CsvSource({
        "1, 0, 2, '', 1, 1",
        "3, 0, 2, '', 5, 5",
        "2, 3, 4, 5, 4, 4",
        "4, 0, 3, 6 3, 8, 1",
        "4, 2, 3, 6 3, 8, 5",
        "6, 13, 8, 16 4, 16, 11",
    })
    void agrees_with_central_differences_and_with_the_hand_written_model(
            int fields, int numeric, int dimension, String hidden, int capacity, int size) {
        DeepFm byHand = DeepFm.builder()
                .fields(fields)
                .numeric(numeric)
                .dimension(dimension)
                .hidden(DeepFmGradientTest.widths(hidden))
                .build();
        SameDiffModel graph = DeepFmGraph.of(byHand);
        long seed = 41;
        Batch batch = RandomClicks.batch(seed, byHand, capacity, size);
        Batch same = RandomClicks.batch(seed, graph, capacity, size);
        float[] parameters = RandomData.parameters(seed, byHand.layout().size());
        float[] moved = move(byHand.layout(), parameters, graph.layout());
        float[] gradient = new float[parameters.length];
        float[] ofGraph = new float[parameters.length];
        float[] outputs = new float[size];
        float[] outputsOfGraph = new float[size];
        float loss;
        float lossOfGraph;
        try (Model.Session session = byHand.open(capacity)) {
            loss = session.gradient(parameters, batch, gradient);
            session.predict(parameters, batch, outputs);
        }
        try (Model.Session session = graph.open(capacity)) {
            // A full batch first, so that its leftovers would affect a short one.
            session.gradient(moved, RandomClicks.batch(7, graph, capacity, capacity), ofGraph);
            lossOfGraph = session.gradient(moved, same, ofGraph);
            session.predict(moved, same, outputsOfGraph);
        }

        assertThat(lossOfGraph).isCloseTo(loss, within(1e-5f));
        assertThat(outputsOfGraph).containsExactly(outputs, within(1e-5f));
        assertThat(ofGraph).containsExactly(move(byHand.layout(), gradient, graph.layout()), within(1e-5f));
        ReferenceDeepFm reference = new ReferenceDeepFm(byHand, parameters, batch);
        DeepFmGradientTest.close(
                move(graph.layout(), ofGraph, byHand.layout()), reference.gradient(reference.parameters), "parameters");
        DeepFmGradientTest.close(same.rows(0).gradients(), reference.gradient(reference.weights), "weights");
        DeepFmGradientTest.close(same.rows(1).gradients(), reference.gradient(reference.vectors), "vectors");
    }

    @Test
    void keeps_the_contract_of_a_model() {
        SameDiffModel graph = DeepFmGraph.of(
                DeepFm.builder().fields(3).numeric(2).dimension(2).hidden(4).build());
        assertThatCode(() -> ModelContract.check("graph", graph, RandomClicks.batch(1, graph, 8, 5)))
                .doesNotThrowAnyException();
        assertThat(graph)
                .hasToString("SameDiffModel[2 features, ids in [fm/weights[*, 1] of ids 0..2, fm/vectors[*, 2] of ids"
                        + " 0..2], 1 outputs, loss \"loss\", [bias[1], dense/bias[4], dense/kernel[8, 4],"
                        + " logit/kernel[4, 1], numeric/weights[2]]]");
    }

    @Test
    void id_count_follows_from_the_tables() {
        SameDiffModel model = builder(1, 2, table("a", 2, 3, 1)).build();
        assertThat(model.ids()).isEqualTo(4);
        assertThat(model.features()).isZero();
        assertThat(model.embeddings()).hasToString("[a[*, 2] of ids 3..3]");
    }

    @Test
    void a_placeholder_must_have_a_vector_for_each_column() {
        assertThatThrownBy(() -> builder(2, 2, table("a", 3, 0, 2)).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "table a: placeholder \"vectors\" must be FLOAT [-1, 2, 3], a vector for each column, was FLOAT"
                                + " [-1, 2, 2]");
        assertThatThrownBy(() -> builder(1, 2, table("a", 2, 0, 1))
                        .table(table("b", 2, 0, 1), "vector")
                        .build())
                .hasMessage("table b: the graph has no variable \"vector\"; did you mean \"vectors\"?");
    }

    @Test
    void tables_need_distinct_names_and_placeholders() {
        SameDiffModel.Builder builder = builder(1, 2, table("a", 2, 0, 1));
        assertThatThrownBy(() -> builder.table(table("a", 2, 1, 1), "other"))
                .hasMessage("table a: each table needs a unique name and a separate placeholder, was \"other\" after"
                        + " {a[*, 2] of ids 0..0=vectors}");
        assertThatThrownBy(() -> builder.table(table("b", 2, 1, 1), "vectors"))
                .hasMessage("table b: each table needs a unique name and a separate placeholder, was \"vectors\" after"
                        + " {a[*, 2] of ids 0..0=vectors}");
    }

    @Test
    void a_table_unused_by_the_loss_is_rejected() {
        SameDiffModel.Builder builder = SameDiffModel.builder(() -> {
                    SameDiff sd = graph(1, 2);
                    sd.placeHolder("idle", DataType.FLOAT, -1, 1, 2);
                    return sd;
                })
                .table(table("a", 2, 0, 1), "vectors")
                .table(table("b", 2, 0, 1), "idle")
                .labels("label")
                .values(1)
                .loss("loss")
                .predictions("answer");
        assertThatThrownBy(builder::build)
                .hasMessage("placeholder \"idle\" of a table has no part in the loss \"loss\"; leave its table out");
    }

    private static SameDiffModel.Builder builder(int columns, int dimension, EmbeddingTable table) {
        return SameDiffModel.builder(() -> graph(columns, dimension))
                .table(table, "vectors")
                .labels("label")
                .values(1)
                .loss("loss")
                .predictions("answer");
    }

    private static SameDiff graph(int columns, int dimension) {
        SameDiff sd = SameDiff.create();
        SDVariable vectors = sd.placeHolder("vectors", DataType.FLOAT, -1, columns, dimension);
        SDVariable label = sd.placeHolder("label", DataType.FLOAT, -1);
        SDVariable answer = vectors.sum(1, 2).add("answer", sd.var("b", DataType.FLOAT, 1));
        sd.loss.meanSquaredError("loss", label, answer, null);
        return sd;
    }

    private static EmbeddingTable table(String name, int dimension, int first, int columns) {
        return new EmbeddingTable(name, dimension, first, columns, Initializer.zeros());
    }

    private static float[] move(ParameterLayout from, float[] vector, ParameterLayout to) {
        float[] moved = new float[vector.length];
        for (Parameter source : from.parameters()) {
            Parameter target = to.parameters().stream()
                    .filter(p -> p.name().equals(source.name()))
                    .findFirst()
                    .orElseThrow();
            System.arraycopy(vector, source.offset(), moved, target.offset(), source.length());
        }
        return moved;
    }
}
