package dev.edl.runtime.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class AucMetricTest {
    private static Batch labels(float... labels) {
        Batch batch = new Batch(labels.length, 1, 1).clear("test[0.." + labels.length + ")");
        for (float label : labels) {
            batch.labels()[batch.row()] = label;
        }
        return batch;
    }

    private static float[] outputs(float... probabilities) {
        float[] outputs = new float[2 * probabilities.length];
        for (int i = 0; i < probabilities.length; i++) {
            outputs[2 * i] = 1 - probabilities[i];
            outputs[2 * i + 1] = probabilities[i];
        }
        return outputs;
    }

    @Test
    void auc_is_the_share_of_correctly_ranked_pairs() {
        Metric.Partial part = Metric.auc().start();
        // Three of the four pairs of a positive and a negative record are in order.
        part.add(outputs(0.1f, 0.4f, 0.35f, 0.8f), 2, labels(0, 0, 1, 1));

        assertThat(part.value()).isCloseTo(0.75, within(1e-12));
        assertThat(part).hasToString("auc over 4 records: 0.75");
    }

    @Test
    void certain_answers_and_ties_count_as_they_should() {
        Metric.Partial perfect = Metric.auc().start();
        perfect.add(outputs(0, 1), 2, labels(0, 1));
        Metric.Partial tied = Metric.auc().start();
        tied.add(outputs(0.5f, 0.5f, 0, 1), 2, labels(0, 1, 1, 0));

        assertThat(perfect.value()).isEqualTo(1);
        // Pairs: the tie counts a half; the positive at 0 loses to both negatives, the one at 0.5 to the one at 1.
        assertThat(tied.value()).isCloseTo(0.125, within(1e-12));
    }

    @Test
    void merged_parts_equal_the_value_over_all_records() {
        long seed = 3;
        Random random = new Random(seed);
        Metric.Partial total = Metric.auc().start();
        double[] probabilities = new double[300];
        int[] labels = new int[300];
        for (int worker = 0; worker < 3; worker++) {
            float[] probability = new float[100];
            float[] label = new float[100];
            for (int i = 0; i < 100; i++) {
                label[i] = random.nextInt(2);
                probability[i] = (float) Math.min(1, Math.max(0, 0.5 + 0.2 * label[i] + 0.2 * random.nextGaussian()));
                probabilities[worker * 100 + i] = probability[i];
                labels[worker * 100 + i] = (int) label[i];
            }
            Metric.Partial part = Metric.auc().start();
            part.add(outputs(probability), 2, labels(label));
            total.merge(part.sums());
        }

        // With 200 thresholds, records closer than 1/199 are ties; for 300 records that changes the third digit.
        assertThat(total.value()).as("seed %d", seed).isCloseTo(byPairs(probabilities, labels), within(5e-3));
    }

    private static double byPairs(double[] probabilities, int[] labels) {
        double won = 0;
        double pairs = 0;
        for (int p = 0; p < labels.length; p++) {
            for (int n = 0; n < labels.length; n++) {
                if (labels[p] == 1 && labels[n] == 0) {
                    pairs++;
                    won += probabilities[p] > probabilities[n] ? 1 : probabilities[p] == probabilities[n] ? 0.5 : 0;
                }
            }
        }
        return won / pairs;
    }

    @Test
    void one_class_gives_nan_and_no_records_an_error() {
        Metric.Partial part = Metric.auc().start();
        assertThatThrownBy(part::value)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("metric \"auc\": no records were evaluated");

        part.add(outputs(0.5f), 2, labels(1));

        assertThat(part.value()).isNaN();
    }

    @Test
    void what_is_no_answer_for_two_classes_is_refused() {
        Metric.Partial part = Metric.auc().start();
        assertThatThrownBy(() -> part.add(new float[3], 3, labels(1)))
                .hasMessage("metric \"auc\" needs the probability of class 1, or those of 2 classes, and one label for"
                        + " each record, was 3 outputs and 1 labels per record for Batch[1 of 1 records, test[0..1)]");
        assertThatThrownBy(() -> part.add(new float[] {0, 2}, 2, labels(1)))
                .hasMessage("metric \"auc\": output 1 of row 0 must be a probability from 0 to 1, was 2.0;"
                        + " Batch[1 of 1 records, test[0..1)]");
    }
}
