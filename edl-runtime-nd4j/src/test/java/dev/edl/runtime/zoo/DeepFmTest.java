package dev.edl.runtime.zoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import dev.edl.runtime.ModelContract;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeepFmTest {
    private final DeepFm model =
            DeepFm.builder().fields(4).numeric(2).dimension(3).hidden(6, 3).build();

    @Test
    void its_parameters_and_tables_are_those_of_the_formula() {
        assertThat(DeepFm.builder().fields(26).numeric(13).build().layout())
                .hasToString("[bias[1], numeric/weights[13], dense/kernel[221, 16], dense/bias[16],"
                        + " dense_1/kernel[16, 4], dense_1/bias[4], logit/kernel[4, 1]]");
        // ElasticDL's DeepFM for frappe looks 10 ids up in vectors of 64 floats.
        assertThat(DeepFm.builder().fields(10).dimension(64).hidden().build().layout())
                .hasToString("[bias[1]]");
        assertThat(model.embeddings()).hasToString("[fm/weights[*, 1] of ids 0..3, fm/vectors[*, 3] of ids 0..3]");
        assertThat(model.embeddings().get(0).initializer()).hasToString("zeros");
        assertThat(model.embeddings().get(1).initializer()).hasToString("uniform:minval=-0.05,maxval=0.05");
        assertThat(model).hasToString("DeepFm[4 fields, 2 numeric, dimension 3, hidden [6, 3]]");
    }

    @Test
    void keeps_the_contract_of_a_model() {
        assertThatCode(() -> ModelContract.check("deepfm", model, RandomClicks.batch(1, model, 8, 5)))
                .doesNotThrowAnyException();
    }

    @Test
    void initial_kernels_are_glorot_uniform_and_the_rest_0() {
        float[] parameters = new float[model.layout().size()];
        model.initialize(parameters, 3);
        model.layout().parameters().forEach(p -> {
            float largest = 0;
            for (int i = p.offset(); i < p.end(); i++) {
                largest = Math.max(largest, Math.abs(parameters[i]));
            }
            if (p.shape().size() == 2) {
                double limit = Math.sqrt(6.0 / (p.shape().get(0) + p.shape().get(1)));
                assertThat((double) largest).as(p.name()).isBetween(limit / 2, limit);
            } else {
                assertThat(largest).as(p.name()).isZero();
            }
        });
    }

    @Test
    void a_record_without_ids_has_the_numeric_logit() {
        Batch batch = RandomClicks.batch(2, model, 1, 1);
        Arrays.fill(batch.ids(), -1);
        batch.gather();
        float[] parameters = new float[model.layout().size()];
        parameters[0] = 0.25f;
        parameters[1] = 2;
        parameters[2] = -3;
        float[] outputs = new float[1];
        try (Model.Session session = model.open(1)) {
            session.predict(parameters, batch, outputs);
        }
        double logit = 0.25 + 2 * batch.features()[0] - 3 * batch.features()[1];
        assertThat((double) outputs[0]).isCloseTo(1 / (1 + Math.exp(-logit)), within(1e-6));
    }

    @Test
    void huge_logits_do_not_overflow() {
        DeepFm plain = DeepFm.builder().fields(1).numeric(1).hidden().build();
        Batch batch = Batch.of(plain, 2).clear("two records");
        for (int row : new int[] {batch.row(), batch.row()}) {
            batch.ids()[row] = -1;
            batch.features()[row] = row == 0 ? 1000 : -1000;
            batch.labels()[row] = 0;
        }
        batch.gather();
        float[] gradient = new float[2];
        try (Model.Session session = plain.open(2)) {
            // Logits 1000 and -1000 for two records of class 0: losses 1000 and 0.
            assertThat(session.gradient(new float[] {0, 1}, batch, gradient)).isEqualTo(500);
        }
        assertThat(gradient).containsExactly(0.5f, 500);
    }

    @Test
    void gradients_are_added_to_those_that_rows_have() {
        Batch batch = RandomClicks.batch(4, model, 8, 6);
        float[] parameters = RandomData.parameters(5, model.layout().size());
        try (Model.Session session = model.open(8)) {
            session.gradient(parameters, batch, new float[parameters.length]);
            float[] once = batch.rows(1).gradients().clone();
            session.gradient(parameters, batch, new float[parameters.length]);
            for (int i = 0; i < once.length; i++) {
                assertThat(batch.rows(1).gradients()[i]).isCloseTo(2 * once[i], within(1e-6f));
            }
        }
    }

    @Test
    void a_step_allocates_next_to_nothing() {
        DeepFm clicks = DeepFm.builder().fields(26).numeric(13).build();
        Batch batch = RandomClicks.batch(6, clicks, 64, 64);
        float[] parameters = RandomData.parameters(7, clicks.layout().size());
        float[] gradient = new float[parameters.length];
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (Model.Session session = clicks.open(64)) {
            for (int i = 0; i < 200; i++) {
                session.gradient(parameters, batch, gradient);
            }
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 200; i++) {
                session.gradient(parameters, batch, gradient);
            }
            // The vectors of a step alone are 100 kilobytes; the rest is allocated by ND4J's calls.
            assertThat((threads.getCurrentThreadAllocatedBytes() - before) / 200)
                    .isLessThan(8_000);
        }
    }

    @Test
    void refuses_sizes_that_make_no_model() {
        String rule =
                "a DeepFm needs at least 1 field, 0 numeric features, 1 dimension and 1 unit in each hidden layer, for"
                        + " example DeepFm.builder().fields(26).numeric(13).dimension(8).hidden(16, 4), was fields ";
        assertThatThrownBy(() -> DeepFm.builder().build())
                .hasMessage(rule + "0, numeric 0, dimension 8, hidden [16, 4]");
        assertThatThrownBy(() -> DeepFm.builder().fields(2).hidden(4, 0).build())
                .hasMessage(rule + "2, numeric 0, dimension 8, hidden [4, 0]");
    }

    @Test
    void refuses_a_batch_without_its_ids_or_its_tables() {
        try (Model.Session session = model.open(4)) {
            float[] vector = new float[model.layout().size()];
            Batch noIds = new Batch(4, 2, 1).clear("train[0..1)");
            noIds.row();
            assertThatThrownBy(() -> session.gradient(vector, noIds, vector.clone()))
                    .hasMessage(model + " takes 4 ids per record, was 0: Batch[1 of 4 records, train[0..1)]");
            Batch noTables = new Batch(4, 2, 1, 4, List.of()).clear("train[0..1)");
            noTables.row();
            assertThatThrownBy(() -> session.predict(vector, noTables, new float[4]))
                    .hasMessage(model + " needs the embedding tables [fm/weights[*, 1] of ids 0..3,"
                            + " fm/vectors[*, 3] of ids 0..3], but the batch has []: Batch[1 of 4 records, train[0..1)];"
                            + " create it by Batch.of(model, capacity)");
        }
    }

    @Test
    void a_label_that_is_neither_0_nor_1_names_batch_row_and_value() {
        Batch batch = RandomClicks.batch(1, model, 4, 4);
        batch.labels()[3] = 2;
        try (Model.Session session = model.open(4)) {
            float[] vector = new float[model.layout().size()];
            assertThatThrownBy(() -> session.gradient(vector, batch, vector.clone()))
                    .hasMessage("batch seed 1, row 3: the label must be a whole number from 0 to 1, was 2.0");
        }
    }

    @Test
    void a_closed_session_refuses_to_compute() {
        Model.Session session = model.open(4);
        session.close();
        session.close();
        Batch batch = RandomClicks.batch(1, model, 4, 4);
        assertThatThrownBy(() -> session.predict(new float[model.layout().size()], batch, new float[4]))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("session of " + model + " for up to 4 records is closed");
    }
}
