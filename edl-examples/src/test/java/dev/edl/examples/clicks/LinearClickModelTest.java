package dev.edl.examples.clicks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.edl.runtime.ModelContract;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import org.junit.jupiter.api.Test;

class LinearClickModelTest {
    private final LinearClickModel model = new LinearClickModel(2, 1);

    /** Two records: number 0.5, ids 7 and none, a click; number -2, ids 7 and 7, none. */
    private Batch batch() {
        Batch batch = Batch.of(model, 2);
        batch.row();
        batch.row();
        System.arraycopy(new float[] {0.5f, -2f}, 0, batch.features(), 0, 2);
        System.arraycopy(new long[] {7, -1, 7, 7}, 0, batch.ids(), 0, 4);
        batch.labels()[0] = 1;
        batch.gather();
        batch.rows(0).values()[0] = 0.25f;
        return batch;
    }

    @Test
    void the_logit_is_the_sum_of_the_weights() {
        float[] outputs = new float[2];
        try (Model.Session session = model.open(2)) {
            session.predict(new float[] {0.5f, -0.1f}, batch(), outputs);
        }
        // Logits 0.25 - 0.1 + 0.25 = 0.4 and -1 - 0.1 + 0.5 = -0.6.
        assertThat(outputs[0]).isCloseTo(0.5986877f, within(1e-6f));
        assertThat(outputs[1]).isCloseTo(0.3543437f, within(1e-6f));
    }

    @Test
    void the_gradient_is_that_of_the_mean_cross_entropy() {
        float[] gradient = new float[2];
        Batch batch = batch();
        float loss;
        try (Model.Session session = model.open(2)) {
            loss = session.gradient(new float[] {0.5f, -0.1f}, batch, gradient);
        }
        // (p - label) / 2 is -0.2006562 and 0.1771718; id 7 is once in the first record and twice in the second.
        assertThat(loss).isCloseTo(0.4752518f, within(1e-5f));
        assertThat(gradient[0]).isCloseTo(-0.2006562f * 0.5f + 0.1771718f * -2, within(1e-6f));
        assertThat(gradient[1]).isCloseTo(-0.2006562f + 0.1771718f, within(1e-6f));
        assertThat(batch.rows(0).gradients()[0]).isCloseTo(-0.2006562f + 2 * 0.1771718f, within(1e-6f));
    }

    @Test
    void it_keeps_the_contract_of_models() {
        ModelContract.check("LinearClickModel", model, batch());
    }
}
