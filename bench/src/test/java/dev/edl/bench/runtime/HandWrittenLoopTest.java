package dev.edl.bench.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.data.ArrayDataset;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.ParameterLayout;
import java.util.Arrays;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class HandWrittenLoopTest {
    private static final int BATCH = 4;
    private static final int TASK = HandWrittenLoop.TASK * BATCH;
    private static final int TASKS = 4;

    private final BenchmarkModel mlp = BenchmarkModel.mlp();
    private final ArrayDataset data = mlp.data(TASKS * TASK, TASK);

    @Test
    void rounds_apply_the_mean_of_both_gradients_one_minibatch_after_the_other() throws Exception {
        float[] trained = train(mlp, true, 2L * HandWrittenLoop.TASK);
        // Two threads take tasks 0 and 1, then 2 and 3, in step.
        float[] expected = mlp.parameters();
        float[] one = new float[expected.length];
        float[] other = new float[expected.length];
        try (Model.Session session = mlp.model().open(BATCH)) {
            for (int task = 0; task < TASKS; task += 2) {
                for (int k = 0; k < HandWrittenLoop.TASK; k++) {
                    session.gradient(expected, minibatch(task, k), one);
                    session.gradient(expected, minibatch(task + 1, k), other);
                    for (int i = 0; i < expected.length; i++) {
                        expected[i] -= HandWrittenLoop.RATE * (one[i] + other[i]) / 2;
                    }
                }
            }
        }
        assertThat(trained).isNotEqualTo(mlp.parameters()).containsExactly(expected, Offset.offset(1e-6f));
    }

    @Test
    void asynchronous_threads_apply_every_gradient() throws Exception {
        BenchmarkModel ones = new BenchmarkModel("ones", new Ones(mlp.model()), "");
        float[] trained = train(ones, false, 1000);
        float[] expected = ones.parameters();
        for (int i = 0; i < expected.length; i++) {
            expected[i] -= 2 * 1000 * HandWrittenLoop.RATE;
        }
        // Two thousand roundings of values near 1 are 1e-4, and a lost gradient is 1e-3.
        assertThat(trained).containsExactly(expected, Offset.offset(5e-4f));
    }

    /** The same layout, and gradients of 1. */
    private record Ones(Model model) implements Model {
        @Override
        public ParameterLayout layout() {
            return model.layout();
        }

        @Override
        public int features() {
            return model.features();
        }

        @Override
        public int labels() {
            return model.labels();
        }

        @Override
        public int outputs() {
            return model.outputs();
        }

        @Override
        public void initialize(float[] parameters, long seed) {
            model.initialize(parameters, seed);
        }

        @Override
        public Session open(int capacity) {
            return new LoadingSession() {
                @Override
                public void load(float[] values, int from, int offset, int count) {
                    // The gradient does not depend on them.
                }

                @Override
                public float gradient(Batch batch, float[] gradient) {
                    Arrays.fill(gradient, 1);
                    return 0;
                }

                @Override
                public float gradient(float[] parameters, Batch batch, float[] gradient) {
                    return gradient(batch, gradient);
                }

                @Override
                public void predict(float[] parameters, Batch batch, float[] outputs) {
                    Arrays.fill(outputs, 1);
                }

                @Override
                public void close() {
                    // Nothing to close.
                }
            };
        }
    }

    private static float[] train(BenchmarkModel of, boolean rounds, long steps) throws Exception {
        ArrayDataset data = of.data(TASKS * TASK, TASK);
        try (HandWrittenLoop loop = new HandWrittenLoop(of.model(), of.parameters(), data, BATCH, rounds, steps)) {
            loop.start();
            loop.await();
            return loop.parameters();
        }
    }

    private Batch minibatch(int task, int number) throws Exception {
        Batch records = Batch.of(mlp.model(), TASK);
        data.read(data.shards().get(task).name(), 0, TASK, records);
        int[] order = HandWrittenLoop.order(task, TASK);
        Batch minibatch = Batch.of(mlp.model(), BATCH);
        for (int i = number * BATCH; i < (number + 1) * BATCH; i++) {
            minibatch.addRow(records, order[i], order[i]);
        }
        return minibatch;
    }
}
