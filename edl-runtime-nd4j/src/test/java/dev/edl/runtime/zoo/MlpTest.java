package dev.edl.runtime.zoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.Parameter;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.factory.Nd4j;

class MlpTest {
    private final Mlp model = Mlp.of(64, 32, 10);

    @Test
    void names_its_parameters_layer_by_layer() {
        assertThat(model.layout())
                .hasToString("[dense/kernel[64, 32], dense/bias[32], dense_1/kernel[32, 10], dense_1/bias[10]]");
        assertThat(model).hasToString("Mlp[64, 32, 10]");
        assertThat(model.features()).isEqualTo(64);
        assertThat(model.labels()).isEqualTo(1);
        assertThat(model.outputs()).isEqualTo(10);
    }

    @Test
    void without_hidden_layers_it_is_logistic_regression() {
        assertThat(Mlp.of(4, 3).layout()).hasToString("[dense/kernel[4, 3], dense/bias[3]]");
    }

    @Test
    void initial_kernels_fill_glorots_range_and_biases_are_zero() {
        float[] parameters = new float[model.layout().size()];
        model.initialize(parameters, 42);
        for (Parameter p : model.layout().parameters()) {
            double limit = p.name().endsWith("bias")
                    ? 0
                    : Math.sqrt(6.0 / (p.shape().get(0) + p.shape().get(1)));
            double sum = 0;
            double max = 0;
            for (int i = p.offset(); i < p.end(); i++) {
                sum += parameters[i];
                max = Math.max(max, Math.abs(parameters[i]));
            }
            assertThat(max).as(p.name()).isLessThanOrEqualTo(limit + 1e-7).isGreaterThanOrEqualTo(0.95 * limit);
            // Five standard deviations of a mean of uniform values.
            assertThat(sum / p.length()).as(p.name()).isCloseTo(0, within(5 * limit / Math.sqrt(3.0 * p.length())));
        }
    }

    @Test
    void the_first_initial_values_of_a_seed_are_fixed() {
        float[] parameters = new float[model.layout().size()];
        model.initialize(parameters, 1234567);
        // Vigna's splitmix64.c, seed 1234567: 6457827717110365317, 3203168211198807973. The 24 highest bits of these,
        // u = 5873360 / 2^24 and 2913264 / 2^24, give (2u - 1) * sqrt(6 / 96).
        assertThat(parameters[0]).isCloseTo((float) ((2 * 5873360 / 0x1.0p24 - 1) * 0.25), within(1e-7f));
        assertThat(parameters[1]).isCloseTo((float) ((2 * 2913264 / 0x1.0p24 - 1) * 0.25), within(1e-7f));
    }

    @Test
    void loading_in_parts_equals_loading_the_whole_vector() {
        Batch batch = RandomData.batch(1, 4, 4, 64, 10);
        int size = model.layout().size();
        float[] parameters = new float[size];
        model.initialize(parameters, 42);
        float[] expected = new float[size];
        float[] gradient = new float[size];
        try (Model.LoadingSession session = (Model.LoadingSession) model.open(4)) {
            float loss = session.gradient(parameters, batch, expected);
            // Within the first kernel, up to its end, across bias and kernel, and the rest.
            int[] ends = {0, 100, 2048, 2100, size};
            session.gradient(new float[size], batch, gradient);
            for (int i = ends.length - 1; i > 0; i--) {
                float[] part = Arrays.copyOfRange(parameters, ends[i - 1] - (i == 1 ? 0 : 7), ends[i]);
                session.load(part, i == 1 ? 0 : 7, ends[i - 1], ends[i] - ends[i - 1]);
            }

            assertThat(session.gradient(batch, gradient)).isEqualTo(loss);
            assertThat(gradient).isEqualTo(expected);
            assertThatThrownBy(() -> session.load(parameters, 1, 0, size))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> session.load(parameters, 0, size - 1, 2))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void refuses_widths_that_make_no_classifier() {
        assertThatThrownBy(() -> Mlp.of(64, 32, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "an Mlp needs at least 1 feature, 1 unit in each hidden layer and, last, 2 classes, for example"
                                + " Mlp.of(64, 32, 10), was [64, 32, 1]");
        assertThatThrownBy(() -> Mlp.of(64)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Mlp.of(64, 0, 2)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void an_invalid_label_names_batch_row_and_value() {
        for (float label : new float[] {10, -1, 2.5f, Float.NaN}) {
            Batch batch = RandomData.batch(1, 4, 4, 64, 10);
            batch.labels()[3] = label;
            assertThatThrownBy(() -> step(batch))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("batch seed 1, row 3: the label must be a whole number from 0 to 9, was " + label);
        }
    }

    @Test
    void refuses_a_batch_that_does_not_fit() {
        assertThatThrownBy(() -> step(RandomData.batch(1, 4, 4, 63, 10)))
                .hasMessage("Mlp[64, 32, 10] takes 64 features per record, was 63: Batch[4 of 4 records, seed 1]");
        assertThatThrownBy(() -> step(RandomData.batch(1, 5, 5, 64, 10)))
                .hasMessage(
                        "Mlp[64, 32, 10]: this session takes 1 to 4 records at once, was Batch[5 of 5 records, seed 1]");
        assertThatThrownBy(() -> step(RandomData.batch(1, 4, 0, 64, 10)))
                .hasMessage(
                        "Mlp[64, 32, 10]: this session takes 1 to 4 records at once, was Batch[0 of 4 records, seed 1]");
    }

    @Test
    void a_nan_among_the_features_reaches_the_loss() {
        Batch batch = RandomData.batch(1, 4, 4, 64, 10);
        batch.features()[70] = Float.NaN;
        assertThat(step(batch)).isNaN();
    }

    @Test
    void huge_scores_do_not_overflow() {
        Mlp tiny = Mlp.of(1, 2);
        Batch batch = new Batch(1, 1, 1).clear("one record");
        batch.row();
        batch.features()[0] = 1000;
        batch.labels()[0] = 0;
        float[] gradient = new float[4];
        try (Model.Session session = tiny.open(1)) {
            // Scores 1000 and -1000: the loss is 0; with the label exchanged it is 2000.
            assertThat(session.gradient(new float[] {1, -1, 0, 0}, batch, gradient))
                    .isZero();
            batch.labels()[0] = 1;
            assertThat(session.gradient(new float[] {1, -1, 0, 0}, batch, gradient))
                    .isEqualTo(2000f);
        }
        assertThat(gradient).containsExactly(1000, -1000, 1, -1);
    }

    @Test
    void a_closed_session_refuses_to_compute() {
        Model.Session session = model.open(4);
        session.close();
        session.close();
        Batch batch = RandomData.batch(1, 4, 4, 64, 10);
        float[] vector = new float[model.layout().size()];
        assertThatThrownBy(() -> session.gradient(vector, batch, vector.clone()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("session of Mlp[64, 32, 10] for up to 4 records is closed");
    }

    @Test
    void a_session_outlives_the_workspace_it_was_opened_in() {
        Batch batch = RandomData.batch(1, 4, 4, 64, 10);
        float expected = step(batch);
        float[] parameters = RandomData.parameters(2, model.layout().size());
        Model.Session session;
        try (MemoryWorkspace inside = Nd4j.getWorkspaceManager().getAndActivateWorkspace("test")) {
            session = model.open(4);
        }
        try (MemoryWorkspace inside = Nd4j.getWorkspaceManager().getAndActivateWorkspace("test")) {
            Nd4j.ones(1000);
        }
        try (session) {
            assertThat(session.gradient(parameters, batch, new float[parameters.length]))
                    .isEqualTo(expected);
        }
    }

    private float step(Batch batch) {
        try (Model.Session session = model.open(4)) {
            float[] parameters = RandomData.parameters(2, model.layout().size());
            return session.gradient(parameters, batch, new float[parameters.length]);
        }
    }
}
