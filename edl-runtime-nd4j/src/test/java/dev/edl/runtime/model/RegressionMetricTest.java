package dev.edl.runtime.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class RegressionMetricTest {
    private final Batch batch = batch(2, 1, -1, 0.25f, 5, 1, 0);
    private final float[] outputs = {1.5f, -2, 0.25f, 3, -1, 0.5f};

    @Test
    void both_are_means_over_records_and_outputs() {
        Metric.Partial squared = Metric.meanSquaredError().start();
        Metric.Partial absolute = Metric.meanAbsoluteError().start();
        squared.add(outputs, 2, batch);
        absolute.add(outputs, 2, batch);
        // By hand: (0.25 + 1 + 0 + 4 + 4 + 0.25) / 6 and (0.5 + 1 + 0 + 2 + 2 + 0.5) / 6; keras 3.15.1 agrees.
        assertThat(squared.value()).isCloseTo(9.5 / 6, within(1e-12));
        assertThat(absolute.value()).isCloseTo(1, within(1e-12));
        assertThat(squared).hasToString("mean_squared_error over 3 records: " + 4.75 / 3);
        assertThat(Metric.meanAbsoluteError()).hasToString("metric \"mean_absolute_error\"");
    }

    @Test
    void parts_merge_to_the_value_over_all_records() {
        Metric.Partial total = Metric.meanSquaredError().start();
        Metric.Partial other = Metric.meanSquaredError().start();
        total.add(outputs, 2, batch);
        other.add(new float[] {0}, 1, batch(1, 3));
        total.merge(other);
        // 4.75 of three records and 9 of one
        assertThat(total.value()).isCloseTo(13.75 / 4, within(1e-12));
    }

    @Test
    void outputs_must_be_as_many_as_labels_and_finite() {
        Metric.Partial part = Metric.meanSquaredError().start();
        assertThatThrownBy(() -> part.add(outputs, 1, batch))
                .hasMessage(
                        "metric \"mean_squared_error\" needs as many outputs as labels for each record, was 1 outputs"
                                + " and 2 labels per record and 6 outputs for Batch[3 of 3 records, test]");
        outputs[3] = Float.POSITIVE_INFINITY;
        assertThatThrownBy(() -> part.add(outputs, 2, batch))
                .hasMessage(
                        "metric \"mean_squared_error\": output 1 of row 1 and its label must be finite, was Infinity"
                                + " and 5.0; Batch[3 of 3 records, test]");
    }

    private static Batch batch(int width, float... labels) {
        Batch batch = new Batch(labels.length / width, 1, width).clear("test");
        for (int i = 0; i < labels.length; i++) {
            if (i % width == 0) {
                batch.row();
            }
            batch.labels()[i] = labels[i];
        }
        return batch;
    }
}
