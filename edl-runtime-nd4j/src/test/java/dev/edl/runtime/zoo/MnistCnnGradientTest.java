package dev.edl.runtime.zoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.Parameter;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares the hand-written CNN, that of SameDiff, and a naive one in double precision. */
class MnistCnnGradientTest {
    private static final int SIZE = ReferenceMnistCnn.SIZE;

    @Test
    void loss_gradients_and_statistics_match_the_definition() {
        long seed = 11;
        float[] parameters = parameters(seed);
        Batch batch = batch(seed, 3, 2, parameters);
        float[] byHand = new float[SIZE];
        float[] byGraph = new float[SIZE];
        float handLoss = gradient(new MnistCnn(), 4, parameters, batch, byHand);
        float graphLoss = gradient(SameDiffMnistCnn.of(new MnistCnn()), 4, parameters, batch, byGraph);

        ReferenceMnistCnn reference = new ReferenceMnistCnn(batch, mask(batch.seed(), 2));
        double[] exact = doubles(parameters);
        double loss = reference.loss(exact);
        assertThat((double) handLoss).isCloseTo(loss, within(2e-5));
        assertThat((double) graphLoss).isCloseTo(loss, within(2e-5));
        for (int c = 0; c < 64; c++) {
            int m = ReferenceMnistCnn.MOVING_MEAN + c;
            int v = ReferenceMnistCnn.MOVING_VARIANCE + c;
            // Keras' momentum is 0.99: a hundredth of the way.
            assertThat((double) byHand[m]).isCloseTo(0.01 * (reference.mean[c] - exact[m]), within(1e-7));
            assertThat((double) byHand[v]).isCloseTo(0.01 * (reference.variance[c] - exact[v]), within(1e-7));
            assertThat((double) byGraph[m]).isCloseTo(0.01 * (reference.mean[c] - exact[m]), within(1e-7));
            assertThat((double) byGraph[v]).isCloseTo(0.01 * (reference.variance[c] - exact[v]), within(1e-7));
        }
        SplittableRandom random = new SplittableRandom(seed);
        for (Parameter p : new MnistCnn().layout().parameters().subList(0, 8)) {
            double scale = scale(byHand, p);
            for (int sample = 0; sample < 2; sample++) {
                int i = random.nextInt(p.offset(), p.end());
                double expected = reference.derivative(exact, i, 1e-6);
                assertThat((double) byHand[i])
                        .as("seed %d, by hand, element %d of %s", seed, i - p.offset(), p)
                        .isCloseTo(expected, within(1e-4 * scale));
                assertThat((double) byGraph[i])
                        .as("seed %d, by graph, element %d of %s", seed, i - p.offset(), p)
                        .isCloseTo(expected, within(1e-4 * scale));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        // seed, capacity, size
        "0, 1, 1",
        "1, 2, 2",
        "2, 3, 3",
        "3, 8, 3",
        "4, 3, 1",
    })
    void both_agree_on_full_and_partial_batches(long seed, int capacity, int size) {
        float[] parameters = parameters(seed);
        Batch batch = batch(seed, capacity, size, parameters);
        float[] byHand = new float[SIZE];
        float[] byGraph = new float[SIZE];
        float handLoss = gradient(new MnistCnn(), capacity, parameters, batch, byHand);
        float graphLoss = gradient(SameDiffMnistCnn.of(new MnistCnn()), capacity, parameters, batch, byGraph);

        assertThat(handLoss).isCloseTo(graphLoss, within(3e-5f));
        for (Parameter p : new MnistCnn().layout().parameters()) {
            double scale = scale(byGraph, p);
            for (int i = p.offset(); i < p.end(); i++) {
                assertThat((double) byHand[i])
                        .as("seed %d, element %d of %s", seed, i - p.offset(), p)
                        .isCloseTo(byGraph[i], within(1e-4 * scale));
            }
        }
    }

    @Test
    void predictions_use_moving_averages_without_dropout() {
        Batch batch = RandomData.batch(5, 3, 3, 784, 10).seed(9);
        float[] parameters = parameters(5);
        double[] expected = new ReferenceMnistCnn(batch, new double[0]).probabilities(doubles(parameters));
        for (Model model : new Model[] {new MnistCnn(), SameDiffMnistCnn.of(new MnistCnn())}) {
            float[] outputs = new float[30];
            try (Model.Session session = model.open(4)) {
                session.predict(parameters, batch, outputs);
            }
            for (int i = 0; i < 30; i++) {
                assertThat((double) outputs[i]).as("%s, output %d", model, i).isCloseTo(expected[i], within(2e-5));
            }
        }
    }

    /**
     * Returns the first batch from a seed for which rounding changes no decision. A different decision of a rectifier
     * or a maximum changes a gradient by a finite amount, although neither result is wrong.
     */
    private static Batch batch(long seed, int capacity, int size, float[] parameters) {
        double[] exact = doubles(parameters);
        for (long at = 1000 * seed; ; at++) {
            Batch batch = RandomData.batch(at, capacity, size, 784, 10).seed(seed);
            if (new ReferenceMnistCnn(batch, new double[0]).margin(exact) > 2e-6) {
                return batch;
            }
        }
    }

    /** A step on another, full batch first, so that its leftovers would show. */
    private static float gradient(Model model, int capacity, float[] parameters, Batch batch, float[] gradient) {
        try (Model.Session session = model.open(capacity)) {
            session.gradient(parameters, RandomData.batch(77, capacity, capacity, 784, 10), gradient);
            return session.gradient(parameters, batch, gradient);
        }
    }

    private static double scale(float[] gradient, Parameter p) {
        double scale = 0;
        for (int i = p.offset(); i < p.end(); i++) {
            scale = Math.max(scale, Math.abs(gradient[i]));
        }
        return scale;
    }

    /** Initial values with gammas of both signs, and with changed biases, betas and moving averages. */
    private static float[] parameters(long seed) {
        float[] parameters = new float[SIZE];
        new MnistCnn().initialize(parameters, seed);
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < SIZE; i++) {
            boolean kernel = i < ReferenceMnistCnn.BIAS_1
                    || (i >= ReferenceMnistCnn.KERNEL_2 && i < ReferenceMnistCnn.BIAS_2)
                    || (i >= ReferenceMnistCnn.DENSE && i < ReferenceMnistCnn.DENSE_BIAS);
            if (!kernel) {
                parameters[i] += (float) random.nextDouble(-0.1, 0.1);
            }
            if (i >= ReferenceMnistCnn.GAMMA && i < ReferenceMnistCnn.BETA && i % 3 == 0) {
                parameters[i] = -parameters[i];
            }
        }
        return parameters;
    }

    /** The rule in the Javadoc of MnistCnn, implemented again. */
    private static double[] mask(long seed, int records) {
        double[] mask = new double[records * 9216];
        long state = splitMix(seed + 0x9E3779B97F4A7C15L);
        for (int i = 0; i < mask.length; i++) {
            long output = splitMix(state + (i / 4 + 1) * 0x9E3779B97F4A7C15L);
            mask[i] = ((output >>> (16 * (i % 4))) & 0xFFFF) >= 16_384 ? 4.0 / 3 : 0;
        }
        return mask;
    }

    private static long splitMix(long z) {
        long a = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        long b = (a ^ (a >>> 27)) * 0x94D049BB133111EBL;
        return b ^ (b >>> 31);
    }

    private static double[] doubles(float[] from) {
        double[] to = new double[from.length];
        for (int i = 0; i < to.length; i++) {
            to[i] = from[i];
        }
        return to;
    }
}
