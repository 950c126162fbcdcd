package dev.edl.runtime.zoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.edl.runtime.ModelContract;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.factory.Nd4j;

/** Graphs whose labels are probabilities or numbers. */
class SameDiffLabelsTest {
    private static final int FEATURES = 3;

    @Test
    void a_probability_trains_a_logistic_regression() {
        SameDiffModel model = logistic().build();
        assertThat(model.labels()).isEqualTo(1);
        assertThat(model.outputs()).isEqualTo(1);
        Batch batch = batch(1, 4, 1);
        batch.labels()[0] = 0.25f;
        float[] w = {0.5f, -1, 2};
        float[] gradient = new float[3];
        float loss = step(model, w, batch, gradient);

        double expected = 0;
        double[] by = new double[3];
        for (int row = 0; row < 4; row++) {
            double z = dot(w, batch, row, 0, 1);
            double y = batch.labels()[row];
            double p = 1 / (1 + Math.exp(-z));
            expected -= (y * Math.log(p) + (1 - y) * Math.log(1 - p)) / 4;
            for (int i = 0; i < 3; i++) {
                by[i] += (p - y) * batch.features()[row * 3 + i] / 4;
            }
        }
        assertThat((double) loss).isCloseTo(expected, within(1e-6));
        for (int i = 0; i < 3; i++) {
            assertThat((double) gradient[i]).isCloseTo(by[i], within(1e-6));
        }
    }

    @Test
    void values_train_a_regression_of_several_outputs() {
        SameDiffModel model =
                linear(2, difference -> difference.mul(difference).mean("loss")).build();
        assertThat(model.labels()).isEqualTo(2);
        Batch batch = batch(2, 4, 2);
        float[] w = {0.5f, -1, 2, 0.25f, 1, -2};
        float[] gradient = new float[6];
        float loss = step(model, w, batch, gradient);

        double expected = 0;
        double[] by = new double[6];
        for (int row = 0; row < 4; row++) {
            for (int j = 0; j < 2; j++) {
                double difference = dot(w, batch, row, j, 2) - batch.labels()[row * 2 + j];
                expected += difference * difference / 8;
                for (int i = 0; i < 3; i++) {
                    by[i * 2 + j] += 2 * difference * batch.features()[row * 3 + i] / 8;
                }
            }
        }
        assertThat((double) loss).isCloseTo(expected, within(1e-6));
        for (int i = 0; i < 6; i++) {
            assertThat((double) gradient[i]).isCloseTo(by[i], within(1e-6));
        }
    }

    @Test
    void both_keep_the_contract_of_a_model() {
        assertThatCode(() -> ModelContract.check("logistic", logistic().build(), batch(3, 5, 1)))
                .doesNotThrowAnyException();
        SameDiffModel linear =
                linear(2, difference -> difference.mul(difference).mean("loss")).build();
        assertThatCode(() -> ModelContract.check("linear", linear, batch(3, 5, 2)))
                .doesNotThrowAnyException();
    }

    @Test
    void a_summed_loss_is_rejected_even_from_zero() {
        assertThatThrownBy(
                        () -> linear(1, difference -> difference.mul(difference).sum("loss"))
                                .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "loss: \"loss\" must be the mean over the records, but was 1.0 for a record and 2.0 for the same"
                                + " record twice; a sum becomes a mean by .mean() in place of .sum()");
    }

    @Test
    void a_placeholder_must_suit_the_labels() {
        assertThatThrownBy(() -> logistic().values(2).build())
                .hasMessage("labels: for values(2) placeholder \"label\" must be FLOAT [-1, 2], was FLOAT [-1]");
        assertThatThrownBy(() -> linear(2, difference -> difference.mean("loss"))
                        .probability()
                        .build())
                .hasMessage("labels: for probability() placeholder \"label\" must be FLOAT, [-1] or [-1, 1], was FLOAT"
                        + " [-1, 2]");
        assertThatThrownBy(() -> logistic().values(0))
                .hasMessage("a regression needs at least 1 label per record, was 0");
    }

    @Test
    void an_invalid_probability_names_batch_row_and_value() {
        SameDiffModel model = logistic().build();
        for (float bad : new float[] {-0.5f, 2, Float.NaN}) {
            Batch batch = batch(1, 4, 1);
            batch.labels()[2] = bad;
            assertThatThrownBy(() -> step(model, new float[3], batch, new float[3]))
                    .hasMessage("batch seed 1, row 2: the label must be a probability from 0 to 1, was " + bad);
        }
    }

    private static SameDiffModel.Builder logistic() {
        return SameDiffModel.builder(() -> {
                    SameDiff sd = SameDiff.create();
                    SDVariable in = sd.placeHolder("input", DataType.FLOAT, -1, FEATURES);
                    SDVariable label = sd.placeHolder("label", DataType.FLOAT, -1);
                    SDVariable w = sd.var("w", Nd4j.zeros(DataType.FLOAT, FEATURES, 1));
                    SDVariable logit = sd.reshape(in.mmul(w), -1);
                    sd.nn.sigmoid("probability", logit);
                    sd.loss.sigmoidCrossEntropy("loss", label, logit, null);
                    return sd;
                })
                .features("input")
                .labels("label")
                .probability()
                .loss("loss")
                .predictions("probability");
    }

    private static SameDiffModel.Builder linear(int outputs, Consumer<SDVariable> loss) {
        return SameDiffModel.builder(() -> {
                    SameDiff sd = SameDiff.create();
                    SDVariable in = sd.placeHolder("input", DataType.FLOAT, -1, FEATURES);
                    SDVariable label = sd.placeHolder("label", DataType.FLOAT, -1, outputs);
                    SDVariable w = sd.var("w", Nd4j.zeros(DataType.FLOAT, FEATURES, outputs));
                    loss.accept(in.mmul("answer", w).sub(label));
                    return sd;
                })
                .features("input")
                .labels("label")
                .values(outputs)
                .loss("loss")
                .predictions("answer");
    }

    private static float step(Model model, float[] parameters, Batch batch, float[] gradient) {
        try (Model.Session session = model.open(batch.capacity())) {
            return session.gradient(parameters, batch, gradient);
        }
    }

    private static double dot(float[] w, Batch batch, int row, int output, int outputs) {
        double sum = 0;
        for (int i = 0; i < FEATURES; i++) {
            sum += (double) w[i * outputs + output] * batch.features()[row * FEATURES + i];
        }
        return sum;
    }

    /** Labels are 0 or 1. */
    private static Batch batch(long seed, int size, int labels) {
        Batch drawn = RandomData.batch(seed, size * labels, size * labels, FEATURES, 2);
        Batch batch = new Batch(size, FEATURES, labels).clear("seed " + seed);
        for (int i = 0; i < size; i++) {
            batch.row();
        }
        System.arraycopy(drawn.features(), 0, batch.features(), 0, size * FEATURES);
        System.arraycopy(drawn.labels(), 0, batch.labels(), 0, size * labels);
        return batch;
    }
}
