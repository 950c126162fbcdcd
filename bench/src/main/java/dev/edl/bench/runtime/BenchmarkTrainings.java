package dev.edl.bench.runtime;

import dev.edl.Job;
import dev.edl.bench.harness.ThreadGate;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.optimizers.Optimizer;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** Creates whole trainings for benchmarks, and waits for their progress. */
public final class BenchmarkTrainings {
    public static final Duration BOUND = Duration.ofSeconds(60);

    private BenchmarkTrainings() {}

    /** Returns a gate that stays open. */
    static ThreadGate ungated() {
        return new ThreadGate(BOUND);
    }

    /**
     * Returns the builder of a training by plain SGD, without evaluations and checkpoints; all other settings have
     * their defaults.
     */
    public static TrainingBuilder of(Model model, Dataset data, int batch, int epochs) {
        return Training.builder()
                .model(model)
                .data(data)
                .optimizer(Optimizer.sgd(0.001f))
                .minibatch(batch)
                .epochs(epochs);
    }

    public static Job job(String name, int ps, int workers) {
        return Job.builder()
                .name(name)
                .elasticdl()
                .master()
                .ps(ps)
                .workers(workers)
                .elastic(1, 8)
                .build();
    }

    /**
     * Waits at most {@link #BOUND} until a condition holds. Polls it every 0.2 ms, which costs negligible processor
     * time.
     *
     * @param what noun for the message when the wait is over
     */
    public static void await(String what, BooleanSupplier there) throws InterruptedException, TimeoutException {
        long end = System.nanoTime() + BOUND.toNanos();
        while (!there.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new TimeoutException(what + " did not come within " + BOUND.toSeconds() + " s");
            }
            Thread.sleep(0, 200_000);
        }
    }
}
