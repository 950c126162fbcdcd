package dev.edl.runtime.zoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares with the formula in double precision and its central differences, for every parameter and every row. */
class DeepFmGradientTest {
    @ParameterizedTest
    @CsvSource({
        "1, 0, 1, '', 1, 1",
        "3, 0, 2, '', 5, 5",
        "3, 2, 2, '', 5, 3",
        "2, 3, 4, 5, 4, 4",
        "4, 0, 3, 6 3, 8, 1",
        "4, 2, 3, 6 3, 8, 8",
        "6, 13, 8, 16 4, 16, 11",
        "3, 1, 2, 4 40 20 3, 8, 7",
    })
    void loss_and_gradients_agree_with_central_differences(
            int fields, int numeric, int dimension, String hidden, int capacity, int size) {
        DeepFm model = DeepFm.builder()
                .fields(fields)
                .numeric(numeric)
                .dimension(dimension)
                .hidden(widths(hidden))
                .build();
        long seed = 31;
        Batch batch = RandomClicks.batch(seed, model, capacity, size);
        float[] parameters = RandomData.parameters(seed, model.layout().size());
        float[] gradient = new float[parameters.length];
        float[] outputs = new float[size];
        Arrays.fill(gradient, 1e30f);
        float loss;
        try (Model.Session session = model.open(capacity)) {
            // A full batch first, so that its leftovers would affect a short one.
            session.gradient(parameters, RandomClicks.batch(7, model, capacity, capacity), gradient);
            loss = session.gradient(parameters, batch, gradient);
            session.predict(parameters, batch, outputs);
        }

        ReferenceDeepFm reference = new ReferenceDeepFm(model, parameters, batch);
        assertThat((double) loss).isCloseTo(reference.loss(), within(2e-6));
        for (int record = 0; record < size; record++) {
            assertThat((double) outputs[record]).isCloseTo(reference.probability(record), within(1e-6));
        }
        close(gradient, reference.gradient(reference.parameters), "parameters");
        close(batch.rows(0).gradients(), reference.gradient(reference.weights), "weights");
        close(batch.rows(1).gradients(), reference.gradient(reference.vectors), "vectors");
    }

    static void close(float[] gradient, double[] expected, String of) {
        for (int i = 0; i < expected.length; i++) {
            assertThat((double) gradient[i]).as("element %d of the %s", i, of).isCloseTo(expected[i], within(3e-6));
        }
    }

    static int[] widths(String text) {
        return text.isEmpty()
                ? new int[0]
                : Arrays.stream(text.split(" ")).mapToInt(Integer::parseInt).toArray();
    }
}
