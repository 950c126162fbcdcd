package dev.edl.runtime.zoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.ModelContract;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.zoo.internal.graph.LabelEncoding;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

class SameDiffModelTest {
    @Test
    void its_parameters_are_the_trainable_variables_by_name() {
        SameDiffModel model = DenseGraph.oneHot(5, 4, 3);
        assertThat(model.layout()).hasToString("[b0[4], b1[3], w0[5, 4], w1[4, 3]]");
        assertThat(model)
                .hasToString("SameDiffModel[5 features, 3 outputs, loss \"loss\", [b0[4], b1[3], w0[5, 4], w1[4, 3]]]");
    }

    @Test
    void keeps_the_contract_of_a_model() {
        Batch batch = RandomData.batch(1, 8, 8, 5, 3);
        assertThatCode(() -> ModelContract.check("graph", DenseGraph.oneHot(5, 4, 3), batch))
                .doesNotThrowAnyException();
        assertThatCode(() -> ModelContract.check("graph", DenseGraph.indices(5, 4, 3), batch))
                .doesNotThrowAnyException();
        assertThatCode(() -> ModelContract.check("mlp", Mlp.of(5, 4, 3), batch)).doesNotThrowAnyException();
    }

    @Test
    void initial_values_are_the_graphs_own_drawn_from_the_seed() {
        SameDiffModel model = DenseGraph.oneHot(5, 4, 3);
        float[] one = new float[model.layout().size()];
        float[] two = new float[one.length];
        model.initialize(one, 1);
        model.initialize(two, 2);
        Nd4j.getRandom().setSeed(1);
        SameDiff drawn = DenseGraph.graph(LabelEncoding.ONE_HOT, 5, 4, 3).get();

        assertThat(one).isNotEqualTo(two);
        for (var p : model.layout().parameters()) {
            INDArray values = drawn.getVariable(p.name()).getArr().dup('c');
            for (int i = 0; i < p.length(); i++) {
                assertThat(one[p.offset() + i])
                        .as("%s %d", p, i)
                        .isEqualTo(values.data().getFloat(i));
            }
        }
    }

    @Test
    void prints_nothing_while_graphs_are_built_and_run() {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream capture = new PrintStream(printed, true, StandardCharsets.UTF_8);
        System.setOut(capture);
        try {
            SameDiffModel model = DenseGraph.oneHot(5, 4, 3);
            try (Model.Session session = model.open(4)) {
                float[] vector = new float[model.layout().size()];
                session.gradient(vector, RandomData.batch(1, 4, 4, 5, 3), vector.clone());
            }
            assertThat(System.out).isSameAs(capture);
            System.out.println("the program's own line");
        } finally {
            System.setOut(before);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .isEqualTo("the program's own line" + System.lineSeparator());
    }

    @Test
    void graphs_that_share_an_array_are_independent() {
        INDArray shared = Nd4j.zeros(DataType.FLOAT, 5, 3);
        SameDiffModel model = linear(sd -> sd.var("w", shared)).build();
        Batch batch = RandomData.batch(1, 4, 4, 5, 3);
        float[] ofFirst = RandomData.parameters(1, 15);
        float[] gradient = new float[15];
        try (Model.Session first = model.open(4);
                Model.Session second = model.open(4)) {
            float loss = first.gradient(ofFirst, batch, gradient);
            second.gradient(RandomData.parameters(2, 15), batch, gradient);
            assertThat(first.gradient(ofFirst, batch, gradient)).isEqualTo(loss);
        }
        assertThat(shared.sumNumber().floatValue()).isZero();
    }

    @Test
    void an_invalid_label_names_batch_row_and_value() {
        Batch batch = RandomData.batch(1, 4, 4, 5, 3);
        batch.labels()[2] = 3;
        for (SameDiffModel model : new SameDiffModel[] {DenseGraph.oneHot(5, 3), DenseGraph.indices(5, 3)}) {
            try (Model.Session session = model.open(4)) {
                float[] vector = new float[model.layout().size()];
                assertThatThrownBy(() -> session.gradient(vector, batch, vector.clone()))
                        .hasMessage("batch seed 1, row 2: the label must be a whole number from 0 to 2, was 3.0");
            }
        }
    }

    @Test
    void a_closed_session_refuses_to_compute() {
        SameDiffModel model = DenseGraph.oneHot(5, 3);
        Model.Session session = model.open(4);
        session.close();
        session.close();
        assertThatThrownBy(() -> session.predict(new float[18], RandomData.batch(1, 4, 4, 5, 3), new float[12]))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("session of " + model + " for up to 4 records is closed");
    }

    @Test
    void an_unknown_name_suggests_the_nearest() {
        refused(
                linear().predictions("sofmax"),
                "predictions: the graph has no variable \"sofmax\"; did you mean \"softmax\"?");
        refused(linear().features("inputs"), "features: the graph has no variable \"inputs\"; did you mean \"input\"?");
        refused(linear().features("w"), "features: \"w\" is not a placeholder but VARIABLE; known are input, label");
    }

    @Test
    void every_part_must_be_named() {
        Supplier<SameDiff> graph = DenseGraph.graph(LabelEncoding.ONE_HOT, 5, 3);
        refused(
                SameDiffModel.builder(graph),
                "set the form of the labels: oneHot(10) or indices(10), with the number of classes, probability()"
                        + " for two classes, or values(1) for numbers");
        refused(
                SameDiffModel.builder(graph).oneHot(3).features("input").labels("label"),
                "loss: no variable of the graph was named, for example .loss(\"loss\")");
    }

    @Test
    void a_loss_for_each_record_or_summed_is_refused() {
        refused(
                linear().loss("row-losses"),
                "loss: \"row-losses\" must be one FLOAT, the mean over the records, for example by .mean(), was FLOAT [2] for 2"
                        + " records");
        assertThatThrownBy(() -> linear().loss("total").build())
                .hasMessageMatching(
                        "loss: \"total\" must be the mean over the records, but was [0-9.]+ for a record and"
                                + " [0-9.]+ for the same record twice; a sum becomes a mean by .mean\\(\\) in place of .sum\\(\\)");
    }

    @Test
    void a_gradient_that_samediff_gets_wrong_is_refused() {
        refused(
                SameDiffModel.builder(() -> {
                            SameDiff sd = SameDiff.create();
                            SDVariable in = sd.placeHolder("input", DataType.FLOAT, -1, 5);
                            SDVariable label = sd.placeHolder("label", DataType.INT32, -1);
                            SDVariable w = sd.var(
                                    "w",
                                    Nd4j.linspace(DataType.FLOAT, -1, 0.1, 15).reshape(5, 3));
                            SDVariable scores = in.mmul(w);
                            sd.nn.softmax("softmax", scores, 1);
                            sd.loss
                                    .sparseSoftmaxCrossEntropy("losses", scores, label)
                                    .mean("loss");
                            return sd;
                        })
                        .features("input")
                        .labels("label")
                        .indices(3)
                        .loss("loss")
                        .predictions("softmax"),
                "loss: the gradient of \"loss\" doubles when the same record is given twice, though the loss does not;"
                        + " SameDiff's sparseSoftmaxCrossEntropy does this when a mean follows it: in its place use"
                        + " softmaxCrossEntropy, with sd.oneHot(...) for index labels");
    }

    @Test
    void variables_that_cannot_be_trained_are_refused() {
        refused(
                linear(sd -> sd.var("w", Nd4j.zeros(DataType.DOUBLE, 5, 3)).castTo(DataType.FLOAT)),
                "variable \"w\" must be FLOAT, was DOUBLE");
        refused(
                linear(sd -> sd.constant("w", Nd4j.zeros(DataType.FLOAT, 5, 3))),
                "the graph has no variable to train; one is made by sd.var(\"w\", DataType.FLOAT, 4, 3)");
        refused(
                linear(sd -> {
                    sd.var("unused", Nd4j.zeros(DataType.FLOAT, 5));
                    return sd.var("w", Nd4j.zeros(DataType.FLOAT, 5, 3));
                }),
                "variable \"unused\" has no part in the loss \"loss\"; leave it out, or make it a constant by"
                        + " sd.constant(...)");
    }

    @Test
    void placeholders_of_the_wrong_form_are_refused() {
        refused(
                linear().oneHot(4),
                "labels: for oneHot(4) placeholder \"label\" must be FLOAT [-1, 4], was FLOAT [-1, 3]");
        refused(
                linear().indices(3),
                "labels: for indices(3) placeholder \"label\" must be INT32, INT64 or FLOAT, [-1] or [-1, 1], was FLOAT [-1,"
                        + " 3]");
        refused(
                SameDiffModel.builder(() -> {
                            SameDiff sd = SameDiff.create();
                            sd.placeHolder("input", DataType.FLOAT, 64, 5);
                            return sd;
                        })
                        .features("input")
                        .labels("label")
                        .oneHot(3)
                        .loss("loss")
                        .predictions("softmax"),
                "features: placeholder \"input\" must have the shape [-1, ...], -1 for the number of records and the rest"
                        + " given, was [64, 5]");
    }

    @Test
    void predictions_must_not_need_labels() {
        assertThatThrownBy(() -> linear().predictions("row-losses").build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the graph does not compute \"row-losses\" from the features alone: ");
    }

    @Test
    void a_supplier_that_makes_another_graph_is_refused() {
        int[] made = {0};
        SameDiffModel model = linear(sd -> sd.var(made[0]++ < 2 ? "w" : "v", Nd4j.zeros(DataType.FLOAT, 5, 3)))
                .build();
        assertThatThrownBy(() -> model.open(4))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(model
                        + ": the supplier must make the same graph at every call; its variables were [w[5, 3]] and are now"
                        + " [v[5, 3]]");
    }

    private static void refused(SameDiffModel.Builder builder, String message) {
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    private static SameDiffModel.Builder linear() {
        return linear(
                sd -> sd.var("w", Nd4j.linspace(DataType.FLOAT, -1, 0.1, 15).reshape(5, 3)));
    }

    /** A linear classifier of 5 features and 3 classes; also with its losses by row and their total. */
    private static SameDiffModel.Builder linear(Function<SameDiff, SDVariable> kernel) {
        return SameDiffModel.builder(() -> {
                    SameDiff sd = SameDiff.create();
                    SDVariable in = sd.placeHolder("input", DataType.FLOAT, -1, 5);
                    SDVariable label = sd.placeHolder("label", DataType.FLOAT, -1, 3);
                    SDVariable softmax = sd.nn.softmax("softmax", in.mmul(kernel.apply(sd)), 1);
                    SDVariable rows = sd.math.log(softmax).mul(label).sum(1).neg("row-losses");
                    rows.sum("total");
                    rows.mean("loss");
                    return sd;
                })
                .features("input")
                .labels("label")
                .oneHot(3)
                .loss("loss")
                .predictions("softmax");
    }
}
