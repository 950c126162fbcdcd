package dev.edl.runtime.zoo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Workers share a model and nothing else. */
class ConcurrentSessionsTest {
    private static final int WORKERS = 4;

    @Test
    void sessions_of_an_mlp_compute_at_the_same_time() throws Exception {
        agreeWithOneAlone(Mlp.of(20, 16, 5));
    }

    @Test
    void sessions_of_a_graph_run_concurrently() throws Exception {
        agreeWithOneAlone(DenseGraph.oneHot(20, 16, 5));
    }

    private static void agreeWithOneAlone(Model model) throws Exception {
        Backend.oneThreadPerWorker();
        List<float[]> alone = new ArrayList<>();
        for (int worker = 0; worker < WORKERS; worker++) {
            alone.add(gradients(model, worker));
        }
        ExecutorService threads = Executors.newFixedThreadPool(WORKERS);
        try {
            List<Callable<float[]>> work = new ArrayList<>();
            for (int worker = 0; worker < WORKERS; worker++) {
                int seed = worker;
                work.add(() -> gradients(model, seed));
            }
            List<Future<float[]>> together = threads.invokeAll(work, 60, TimeUnit.SECONDS);
            for (int worker = 0; worker < WORKERS; worker++) {
                assertThat(together.get(worker).get()).as("seed %d", worker).isEqualTo(alone.get(worker));
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** The sum of the gradients of 30 batches of changing size. */
    private static float[] gradients(Model model, long seed) {
        float[] sum = new float[model.layout().size()];
        float[] gradient = new float[sum.length];
        float[] parameters = RandomData.parameters(seed, sum.length);
        try (Model.Session session = model.open(16)) {
            for (int step = 0; step < 30; step++) {
                Batch batch = RandomData.batch(100 * seed + step, 16, 1 + step % 16, 20, 5);
                session.gradient(parameters, batch, gradient);
                for (int i = 0; i < sum.length; i++) {
                    sum[i] += gradient[i];
                }
            }
        }
        return sum;
    }
}
