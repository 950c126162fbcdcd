package dev.edl.runtime.zoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares with a naive network in double precision and its central differences. */
class MlpGradientTest {
    @ParameterizedTest
    @CsvSource({
        "3 2, 1, 1",
        "3 2, 4, 4",
        "1 2, 5, 3",
        "5 4 3, 8, 8",
        "5 4 3, 8, 1",
        "6 1 3, 4, 3",
        "7 5 4 3, 16, 9",
        "20 8 10, 32, 31",
    })
    void loss_and_gradient_agree_with_central_differences(String widths, int capacity, int size) {
        int[] w = Arrays.stream(widths.split(" ")).mapToInt(Integer::parseInt).toArray();
        Mlp model = Mlp.of(w[0], Arrays.copyOfRange(w, 1, w.length));
        long seed = 17;
        Batch batch = RandomData.batch(seed, capacity, size, w[0], model.outputs());
        float[] parameters = RandomData.parameters(seed + 1, model.layout().size());
        float[] gradient = new float[parameters.length];
        Arrays.fill(gradient, 1e30f);
        float loss;
        try (Model.Session session = model.open(capacity)) {
            // A full batch first, so that its leftovers would affect a short one.
            session.gradient(parameters, RandomData.batch(3, capacity, capacity, w[0], model.outputs()), gradient);
            loss = session.gradient(parameters, batch, gradient);
        }

        double[] exact = new double[parameters.length];
        for (int i = 0; i < exact.length; i++) {
            exact[i] = parameters[i];
        }
        double[] expected = ReferenceMlp.gradient(model.layout(), parameters, batch);
        assertThat((double) loss).isCloseTo(ReferenceMlp.loss(model.layout(), exact, batch), within(2e-6));
        for (int i = 0; i < expected.length; i++) {
            assertThat((double) gradient[i])
                    .as("seed %d, element %d of %s", seed, i, model.layout().at(i))
                    .isCloseTo(expected[i], within(2e-6));
        }
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "7"})
    void predictions_are_the_softmax_of_the_scores(int size) {
        Mlp model = Mlp.of(6, 5, 3);
        Batch batch = RandomData.batch(5, 7, size, 6, 3);
        float[] parameters = RandomData.parameters(6, model.layout().size());
        float[] outputs = new float[size * 3];
        try (Model.Session session = model.open(7)) {
            session.predict(parameters, batch, outputs);
        }

        double[] exact = new double[parameters.length];
        for (int i = 0; i < exact.length; i++) {
            exact[i] = parameters[i];
        }
        for (int row = 0; row < size; row++) {
            double[] scores = ReferenceMlp.scores(model.layout(), exact, batch, row);
            double sum = Arrays.stream(scores).map(Math::exp).sum();
            for (int c = 0; c < 3; c++) {
                assertThat((double) outputs[row * 3 + c]).isCloseTo(Math.exp(scores[c]) / sum, within(1e-6));
            }
        }
    }
}
