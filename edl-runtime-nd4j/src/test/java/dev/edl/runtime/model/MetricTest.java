package dev.edl.runtime.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class MetricTest {
    private static final float[] OUTPUTS = {0.7f, 0.2f, 0.1f, 0.1f, 0.3f, 0.6f, 0.4f, 0.4f, 0.2f, 0.9f, 0.1f, 0f};
    private final Batch batch = labels(0, 1, 1, 2);

    @Test
    void accuracy_counts_the_first_largest_output() {
        Metric.Partial part = Metric.accuracy().start();
        part.add(OUTPUTS, 3, batch);
        assertThat(part.value()).isEqualTo(1 / 4.0);
        assertThat(part).hasToString("accuracy over 4 records: 0.25");
    }

    @Test
    void cross_entropy_is_the_clipped_mean_log_loss() {
        Metric.Partial part = Metric.crossEntropy().start();
        part.add(OUTPUTS, 3, batch);
        // -(ln 0.7 + ln 0.3 + ln 0.4 + ln 1e-7) / 4 by hand: (0.356675 + 1.203973 + 0.916291 + 16.118096) / 4
        assertThat(part.value()).isCloseTo(4.648759, within(1e-5));
        assertThat(Metric.crossEntropy().name()).isEqualTo("loss");
    }

    @Test
    void parts_merge_to_the_value_over_all_records() {
        Metric.Partial whole = Metric.crossEntropy().start();
        whole.add(OUTPUTS, 3, batch);
        whole.add(OUTPUTS, 3, labels(2, 2));
        Metric.Partial left = Metric.crossEntropy().start();
        left.add(OUTPUTS, 3, batch);
        Metric.Partial right = Metric.crossEntropy().start();
        right.add(OUTPUTS, 3, labels(2, 2));

        Metric.Partial total = Metric.crossEntropy().start();
        total.merge(right.sums());
        total.merge(left);

        assertThat(total.value()).isCloseTo(whole.value(), within(1e-12));
        assertThat(total.sums()[1]).isEqualTo(6);
    }

    @Test
    void a_value_over_no_records_is_an_error() {
        assertThatThrownBy(() -> Metric.accuracy().start().value())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("metric \"accuracy\": no records were evaluated");
    }

    @Test
    void refuses_what_is_not_the_output_of_a_classifier() {
        Metric.Partial part = Metric.accuracy().start();
        assertThatThrownBy(() -> part.add(new float[4], 2, batch))
                .hasMessage("metric \"accuracy\" needs the probability of class 1, or those of all classes, for each"
                        + " record, was 2 outputs per record and 4 for Batch[4 of 4 records, test[0..4)]");
        assertThatThrownBy(() -> part.add(OUTPUTS, 2, batch))
                .hasMessage(
                        "metric \"accuracy\": batch test[0..4), row 3: the label must be a whole number from 0 to 1,"
                                + " was 2.0");
        float[] diverged = OUTPUTS.clone();
        diverged[4] = Float.NaN;
        assertThatThrownBy(() -> part.add(diverged, 3, batch))
                .hasMessage("metric \"accuracy\": output 1 of row 1 is NaN; Batch[4 of 4 records, test[0..4)]");
        batch.features()[2 * batch.featureWidth()] = Float.NaN;
        assertThatThrownBy(() -> part.add(diverged, 3, batch))
                .hasMessageEndingWith("; feature 0 of row 2 is NaN in the data");
        assertThatThrownBy(() -> part.merge(new double[] {1}))
                .hasMessage("metric \"accuracy\": a part is [sum, records], was [1.0]");
    }

    @Test
    void scores_have_an_accuracy_but_no_cross_entropy() {
        Batch batch = labels(1, 0);
        float[] scores = {-3, 5, 0.5f, -2};

        Metric.Partial accuracy = Metric.accuracy().start();
        accuracy.add(scores, 2, batch);
        assertThat(accuracy.value()).isEqualTo(1);
        assertThatThrownBy(() -> Metric.crossEntropy().start().add(scores, 2, batch))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "metric \"loss\": output 1 of row 0 must be a probability from 0 to 1, was 5.0; Batch[2 of 2"
                                + " records, test[0..2)]");
    }

    private static Batch labels(float... labels) {
        Batch batch = new Batch(labels.length, 1, 1).clear("test[0.." + labels.length + ")");
        for (float label : labels) {
            batch.labels()[batch.row()] = label;
        }
        return batch;
    }
}
