package dev.edl.runtime.inprocess;

import dev.edl.Job;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.data.ArrayDataset;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.optimizers.Optimizer;
import java.time.Duration;
import java.util.SplittableRandom;

/** Data, job and training of the runtime's tests: 200 records in 4 shards, two classes that a plane separates. */
public final class Fixture {
    public static final int FEATURES = 5;
    static final int RECORDS = 200;
    static final int MINIBATCH = 4;
    static final Duration LIMIT = Duration.ofSeconds(30);

    private Fixture() {}

    /** The records of every training. */
    public static ArrayDataset records() {
        return data(1);
    }

    static ArrayDataset data(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        float[][] rows = new float[RECORDS][FEATURES];
        int[] labels = new int[RECORDS];
        for (int r = 0; r < RECORDS; r++) {
            double side = 0;
            for (int f = 0; f < FEATURES; f++) {
                rows[r][f] = (float) (random.nextDouble() * 2 - 1);
                side += rows[r][f] * (f - 1);
            }
            labels[r] = side > 0 ? 1 : 0;
        }
        return ArrayDataset.of(rows, labels).sharded(50);
    }

    public static TrainingBuilder training(Model model) {
        return Training.builder()
                .model(model)
                .data(data(1))
                .validation(data(2))
                .optimizer(Optimizer.sgd(0.1f))
                .minibatch(MINIBATCH)
                .minibatchesPerTask(4)
                .epochs(6)
                .seed(7);
    }

    public static Job job(int ps, int workers) {
        return Job.builder()
                .name("unit")
                .elasticdl()
                .master()
                .ps(ps)
                .workers(workers)
                .elastic(1, 8)
                .build();
    }
}
