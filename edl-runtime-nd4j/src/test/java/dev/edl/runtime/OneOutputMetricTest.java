package dev.edl.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Metric;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * Models with one output, the probability of class 1. The expected numbers are those of keras 3.15.1 (BinaryAccuracy,
 * BinaryCrossentropy, AUC; float sums, hence to 6 digits) and scikit-learn 1.9.1 (accuracy_score, log_loss) on the same
 * records; the AUC of the drawn records was computed by Keras' rule in NumPy 2.4.6 in double precision.
 */
class OneOutputMetricTest {
    private static final float[] FEW = {0.1f, 0.5f, 0.35f, 0.8f, 0, 1, 0.65f, 0.97f};
    private final Batch few = batch(0, 0, 1, 1, 1, 1, 0, 1);

    @Test
    void accuracy_asks_for_more_than_a_half() {
        Metric.Partial part = Metric.accuracy().start();
        part.add(FEW, 1, few);
        assertThat(part.value()).isEqualTo(0.625);
    }

    @Test
    void cross_entropy_of_one_output_is_binary_and_clipped() {
        Metric.Partial part = Metric.crossEntropy().start();
        part.add(FEW, 1, few);
        assertThat(part.value()).isCloseTo(2.408731295142765, within(1e-7));

        Metric.Partial wrong = Metric.crossEntropy().start();
        wrong.add(new float[] {1}, 1, batch(0));
        // -ln(1e-7)
        assertThat(wrong.value()).isCloseTo(16.11809565, within(1e-7));
    }

    @Test
    void auc_takes_one_probability_as_well_as_two() {
        Metric.Partial part = Metric.auc().start();
        part.add(FEW, 1, few);
        assertThat(part.value()).isCloseTo(2 / 3.0, within(1e-12));
    }

    @Test
    void merged_parts_equal_the_values_over_all_records() {
        Metric[] metrics = {Metric.accuracy(), Metric.crossEntropy(), Metric.auc()};
        double[] expected = {0.628, 0.7460454846557555, 0.6728729478800604};
        Drawn drawn = new Drawn(1000);
        for (int m = 0; m < metrics.length; m++) {
            Metric.Partial total = metrics[m].start();
            for (int from : new int[] {600, 0, 100}) {
                int to = from == 0 ? 100 : from == 100 ? 600 : 1000;
                Metric.Partial worker = metrics[m].start();
                worker.add(drawn.outputs(from, to), 1, drawn.labels(from, to));
                total.merge(worker.sums());
            }
            assertThat(total.value()).as(metrics[m].name()).isCloseTo(expected[m], within(1e-8));
        }
    }

    @Test
    void a_non_probability_rejects_its_whole_batch() {
        for (Metric metric : new Metric[] {Metric.accuracy(), Metric.crossEntropy(), Metric.auc()}) {
            Metric.Partial part = metric.start();
            for (float bad : new float[] {1.5f, -0.1f, Float.NaN}) {
                assertThatThrownBy(() -> part.add(new float[] {0.5f, bad}, 1, batch(0, 1)))
                        .hasMessage(metric + ": output 0 of row 1 must be a probability from 0 to 1, was " + bad
                                + "; Batch[2 of 2 records, test[0..2)]");
            }
            assertThatThrownBy(() -> part.add(new float[] {0.5f, 0.5f}, 1, batch(0, 2)))
                    .hasMessage(metric
                            + ": batch test[0..2), row 1: the label must be a whole number from 0 to 1, was 2.0");
            assertThatThrownBy(part::value).isInstanceOf(IllegalStateException.class);
        }
    }

    static Batch batch(float... labels) {
        Batch batch = new Batch(labels.length, 1, 1).clear("test[0.." + labels.length + ")");
        for (float label : labels) {
            batch.labels()[batch.row()] = label;
        }
        return batch;
    }

    /** Records of the generator s = (s * 1103515245 + 12345) mod 2^31 from 12345: u, then 1 if v < 0.25 + 0.5 u. */
    private static final class Drawn {
        private final float[] outputs;
        private final float[] labels;
        private long state = 12345;

        Drawn(int records) {
            outputs = new float[records];
            labels = new float[records];
            for (int i = 0; i < records; i++) {
                outputs[i] = (float) next();
                labels[i] = next() < 0.25 + 0.5 * outputs[i] ? 1 : 0;
            }
        }

        private double next() {
            state = (state * 1103515245 + 12345) % 2147483648L;
            return state / 2147483648.0;
        }

        float[] outputs(int from, int to) {
            return Arrays.copyOfRange(outputs, from, to);
        }

        Batch labels(int from, int to) {
            return batch(Arrays.copyOfRange(labels, from, to));
        }
    }
}
