package dev.edl.runtime.zoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import dev.edl.runtime.ModelContract;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.Parameter;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MnistCnnTest {
    private final MnistCnn model = new MnistCnn();

    @Test
    void parameters_match_the_keras_network() {
        assertThat(model.layout())
                .hasToString("[conv2d/kernel[3, 3, 1, 32], conv2d/bias[32], conv2d_1/kernel[3, 3, 32, 64],"
                        + " conv2d_1/bias[64], batch_normalization/gamma[64], batch_normalization/beta[64],"
                        + " dense/kernel[9216, 10], dense/bias[10], batch_normalization/moving_mean[64],"
                        + " batch_normalization/moving_variance[64]]");
        // ElasticDL's: 320 + 18,496 + 128 + 92,170.
        assertThat(model.layout().trained()).isEqualTo(111_114);
        assertThat(model.layout().size()).isEqualTo(111_114 + 128);
        assertThat(model.features()).isEqualTo(784);
        assertThat(model.labels()).isEqualTo(1);
        assertThat(model.outputs()).isEqualTo(10);
        assertThat(model).hasToString("MnistCnn[784, 10, dropout 0.25]").isEqualTo(new MnistCnn());
    }

    @Test
    void the_graph_has_the_same_parameters_and_initial_values() {
        SameDiffMnistCnn graph = SameDiffMnistCnn.of(model);
        assertThat(graph.layout()).isEqualTo(model.layout());
        assertThat(initial(graph)).isEqualTo(initial(model));
        assertThat(graph).hasToString("SameDiffMnistCnn[784, 10, dropout 0.25]");
        assertThat(graph.features()).isEqualTo(784);
        assertThat(graph.labels()).isEqualTo(1);
        assertThat(graph.outputs()).isEqualTo(10);
    }

    @Test
    void initial_values_match_glorot_and_keras() {
        float[] parameters = initial(model);
        // sqrt(6 / (inputs + outputs)), nine places each in a convolution: 9 + 288, 288 + 576, 9216 + 10.
        range(parameters, "conv2d/kernel", Math.sqrt(6.0 / 297));
        range(parameters, "conv2d_1/kernel", Math.sqrt(6.0 / 864));
        range(parameters, "dense/kernel", Math.sqrt(6.0 / 9226));
        constant(parameters, "conv2d/bias", 0);
        constant(parameters, "conv2d_1/bias", 0);
        constant(parameters, "batch_normalization/gamma", 1);
        constant(parameters, "batch_normalization/beta", 0);
        constant(parameters, "dense/bias", 0);
        constant(parameters, "batch_normalization/moving_mean", 0);
        constant(parameters, "batch_normalization/moving_variance", 1);
    }

    @Test
    void both_keep_the_contract_of_a_model() {
        Batch batch = RandomData.batch(3, 3, 3, 784, 10);
        assertThatCode(() -> ModelContract.check("by hand", model, batch)).doesNotThrowAnyException();
        assertThatCode(() -> ModelContract.check("graph", SameDiffMnistCnn.of(model), batch))
                .doesNotThrowAnyException();
    }

    @Test
    void without_dropout_the_batch_seed_is_irrelevant() {
        MnistCnn whole = MnistCnn.withDropout(0);
        assertThat(whole).hasToString("MnistCnn[784, 10, dropout 0.0]").isNotEqualTo(model);
        Batch batch = RandomData.batch(1, 2, 2, 784, 10);
        try (Model.Session session = whole.open(2)) {
            float[] parameters = initial(whole);
            float[] gradient = new float[parameters.length];
            float zero = session.gradient(parameters, batch.seed(0), gradient);
            assertThat(session.gradient(parameters, batch.seed(1), gradient)).isEqualTo(zero);
        }
    }

    @Test
    void refuses_a_rate_that_is_no_share() {
        for (double rate : new double[] {-0.1, 1, Double.NaN}) {
            assertThatThrownBy(() -> MnistCnn.withDropout(rate))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "the rate of dropout must be at least 0 and less than 1, for example 0.25, was " + rate);
        }
    }

    @Test
    void another_seed_of_the_batch_drops_other_values() {
        Batch batch = RandomData.batch(1, 2, 2, 784, 10);
        try (Model.Session session = model.open(2)) {
            float[] parameters = initial(model);
            float[] gradient = new float[parameters.length];
            float zero = session.gradient(parameters, batch.seed(0), gradient);
            float one = session.gradient(parameters, batch.seed(1), gradient);
            assertThat(session.gradient(parameters, batch.seed(0), gradient)).isEqualTo(zero);
            assertThat(one).isNotEqualTo(zero);
        }
    }

    @Test
    void a_nan_among_the_features_reaches_loss_and_predictions() {
        Batch batch = RandomData.batch(1, 3, 3, 784, 10);
        batch.features()[784 + 400] = Float.NaN;
        float[] parameters = initial(model);
        float[] outputs = new float[30];
        try (Model.Session session = model.open(3)) {
            assertThat(session.gradient(parameters, batch, new float[parameters.length]))
                    .isNaN();
            session.predict(parameters, batch, outputs);
        }
        assertThat(outputs[10]).isNaN();
        // ND4J's pooling ignores NaN, so only the graph's loss shows it.
        try (Model.Session session = SameDiffMnistCnn.of(model).open(3)) {
            assertThat(session.gradient(parameters, batch, new float[parameters.length]))
                    .isNaN();
        }
    }

    @Test
    void a_nan_does_not_affect_the_next_step() {
        float[] parameters = initial(model);
        Batch good = RandomData.batch(2, 3, 2, 784, 10);
        Batch bad = RandomData.batch(1, 3, 3, 784, 10);
        bad.features()[784 + 400] = Float.NaN;
        float[] before = new float[parameters.length];
        float[] after = new float[parameters.length];
        try (Model.Session session = model.open(3)) {
            session.gradient(parameters, good, before);
            session.gradient(parameters, bad, after);
            session.gradient(parameters, good, after);
        }
        assertThat(after).isEqualTo(before);
    }

    @Test
    void refuses_what_does_not_fit() {
        assertThatThrownBy(() -> model.open(0))
                .hasMessage("MnistCnn[784, 10, dropout 0.25]: a session's capacity must be at least 1, was 0");
        assertThatThrownBy(() -> SameDiffMnistCnn.of(model).open(0))
                .hasMessage("SameDiffMnistCnn[784, 10, dropout 0.25]: a session's capacity must be at least 1, was 0");
        assertThatThrownBy(() -> model.initialize(new float[7], 1))
                .hasMessage("MnistCnn[784, 10, dropout 0.25]: the parameters must have 111242 floats, was 7");
        float[] vector = initial(model);
        try (Model.Session session = model.open(4)) {
            assertThatThrownBy(() ->
                            session.gradient(vector, RandomData.batch(1, 5, 5, 784, 10), new float[vector.length]))
                    .hasMessage("MnistCnn[784, 10, dropout 0.25]: this session takes 1 to 4 records at once,"
                            + " was Batch[5 of 5 records, seed 1]");
        }
    }

    @Test
    void a_closed_session_refuses_to_compute() {
        Batch batch = RandomData.batch(1, 1, 1, 784, 10);
        float[] vector = initial(model);
        for (Model each : List.of(model, SameDiffMnistCnn.of(model))) {
            Model.Session session = each.open(2);
            session.close();
            session.close();
            assertThatThrownBy(() -> session.gradient(vector, batch, vector.clone()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("session of " + each + " for up to 2 records is closed");
        }
    }

    @Test
    void a_step_allocates_nothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Batch batch = RandomData.batch(1, 6, 6, 784, 10);
        float[] parameters = initial(model);
        float[] gradient = new float[parameters.length];
        try (Model.Session session = model.open(6)) {
            // The JVM itself allocates a little when it links a call or leaves a compiled method, but not at every
            // step.
            long least = Long.MAX_VALUE;
            for (int step = 0; step < 8; step++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                session.gradient(parameters, batch, gradient);
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertThat(least).isZero();
        }
    }

    @Test
    void concurrent_sessions_match_sequential_ones() throws Exception {
        List<float[]> alone = List.of(steps(0), steps(1));
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            List<Callable<float[]>> work = List.of(() -> steps(0), () -> steps(1));
            List<Future<float[]>> together = threads.invokeAll(work, 60, TimeUnit.SECONDS);
            for (int worker = 0; worker < 2; worker++) {
                assertThat(together.get(worker).get()).as("seed %d", worker).isEqualTo(alone.get(worker));
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** Returns the parameters after some steps of plain gradient descent on batches of changing size. */
    private float[] steps(long seed) {
        float[] parameters = initial(model);
        float[] gradient = new float[parameters.length];
        try (Model.Session session = model.open(6)) {
            for (int step = 0; step < 6; step++) {
                Batch batch = RandomData.batch(100 * seed + step, 6, 6 - step, 784, 10)
                        .seed(step);
                session.gradient(parameters, batch, gradient);
                for (int i = 0; i < parameters.length; i++) {
                    parameters[i] -= 0.01f * gradient[i];
                }
            }
        }
        return parameters;
    }

    private static float[] initial(Model model) {
        float[] parameters = new float[model.layout().size()];
        model.initialize(parameters, 42);
        return parameters;
    }

    private Parameter named(String name) {
        return model.layout().parameters().stream()
                .filter(p -> p.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private void range(float[] parameters, String name, double limit) {
        Parameter p = named(name);
        double sum = 0;
        double max = 0;
        for (int i = p.offset(); i < p.end(); i++) {
            sum += parameters[i];
            max = Math.max(max, Math.abs(parameters[i]));
        }
        assertThat(max).as(name).isLessThanOrEqualTo(limit + 1e-7).isGreaterThanOrEqualTo(0.95 * limit);
        // Five standard deviations of a mean of uniform values.
        assertThat(sum / p.length()).as(name).isCloseTo(0, within(5 * limit / Math.sqrt(3.0 * p.length())));
    }

    private void constant(float[] parameters, String name, float value) {
        Parameter p = named(name);
        for (int i = p.offset(); i < p.end(); i++) {
            assertThat(parameters[i]).as(name).isEqualTo(value);
        }
    }
}
