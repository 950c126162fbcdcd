package dev.edl.runtime.model;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class StepResultCheckTest {
    private static final String SMALLER = "; a smaller learning rate, or standardised features, may help";

    private final ParameterLayout layout = ParameterLayout.builder()
            .add("dense/kernel", 64, 10)
            .add("dense/bias", 10)
            .add("scale")
            .build();
    private final StepResultCheck check = new StepResultCheck("mlp", layout);
    private final Batch batch = new Batch(64, 1, 1).clear("train-00000[128..192)");

    @Test
    void passes_what_is_finite() {
        float[] gradient = new float[651];
        gradient[3] = Float.MAX_VALUE;
        gradient[4] = -Float.MAX_VALUE;
        assertThatCode(() -> check.check(120, 0.5f, gradient, batch)).doesNotThrowAnyException();
    }

    @Test
    void names_the_element_that_is_nan() {
        float[] gradient = new float[651];
        gradient[37] = Float.NaN;
        gradient[38] = Float.NaN;
        assertThatThrownBy(() -> check.check(120, 0.5f, gradient, batch))
                .isInstanceOf(ModelException.class)
                .hasMessage(
                        "model \"mlp\": step 120: the gradient of dense/kernel[64, 10] is NaN at element [3, 7]; batch"
                                + " train-00000[128..192)" + SMALLER);
    }

    @Test
    void names_an_infinite_element_of_a_scalar() {
        float[] gradient = new float[651];
        gradient[650] = Float.NEGATIVE_INFINITY;
        assertThatThrownBy(() -> check.check(1, 0.5f, gradient, new Batch(64, 1, 1)))
                .hasMessage(
                        "model \"mlp\": step 1: the gradient of scale[] is -Infinity at element []; batch of 0 records"
                                + SMALLER);
    }

    @Test
    void refuses_a_loss_that_is_nan() {
        assertThatThrownBy(() -> check.check(120, Float.NaN, new float[651], batch))
                .hasMessage("model \"mlp\": step 120: the loss is NaN; batch train-00000[128..192); a smaller learning"
                        + " rate, or standardised features, may help");
    }

    @Test
    void blames_the_data_where_the_batch_is_not_finite() {
        Batch records = new Batch(8, 2, 1).clear("train-00000");
        records.row(new float[] {1, 2, 3, 4}, 0);
        records.row(new float[] {1, 2, 3, Float.NaN}, 2);
        Batch minibatch = new Batch(2, 2, 1).clear("minibatch 0 of train-00000[8..16)");
        minibatch.addRow(records, 0, 11);
        minibatch.lendRow(records, 1, 9);
        assertThatThrownBy(() -> check.check(120, Float.NaN, new float[651], minibatch))
                .isInstanceOf(ModelException.class)
                .hasMessage(
                        "model \"mlp\": step 120: the loss is NaN; batch minibatch 0 of train-00000[8..16); feature 1"
                                + " of row 1 (record 9) is NaN in the data: correct that record, or leave it out");
        batch.labels()[batch.row()] = Float.POSITIVE_INFINITY;
        float[] gradient = new float[651];
        gradient[0] = Float.NaN;
        assertThatThrownBy(() -> check.check(1, 0.5f, gradient, batch))
                .hasMessageEndingWith(
                        "; label 0 of row 0 is Infinity in the data: correct that record, or leave it out");
    }

    @Test
    void refuses_a_vector_of_another_length() {
        assertThatThrownBy(() -> check.check(120, 0.5f, new float[650], batch))
                .hasMessage("model \"mlp\": step 120: the gradient must have 651 floats, was 650; batch"
                        + " train-00000[128..192)");
    }
}
