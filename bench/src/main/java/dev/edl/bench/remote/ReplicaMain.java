package dev.edl.bench.remote;

import dev.edl.bench.runtime.BenchmarkModel;
import dev.edl.bench.runtime.CountedModel;
import dev.edl.bench.runtime.StandaloneWorker;
import dev.edl.runtime.program.TrainingProgram;
import java.io.IOException;
import java.nio.file.Path;

/** Main program of each replica of {@link ProcessTrainingSpeed}, and, in a pod, of the JVM that only computes. */
public final class ReplicaMain {
    private ReplicaMain() {}

    /**
     * Arguments: {@code COUNTS [alone]}. COUNTS is the file of {@link StepCounts}; with {@code alone} the JVM loads the
     * backend, computes one minibatch and ends.
     */
    public static void main(String[] args) throws IOException {
        Runnable count = StepCounts.of(Path.of(args[0])).worker();
        if (args.length > 1) {
            alone(count);
        }
        CountedModel model = new CountedModel(BenchmarkModel.mlp().model(), count, 1);
        TrainingProgram.run(args, () -> ProcessTrainingSpeed.training(model));
    }

    private static void alone(Runnable count) {
        count.run();
        try (StandaloneWorker worker = new StandaloneWorker(BenchmarkModel.mlp(), ProcessTrainingSpeed.BATCH)) {
            worker.step();
            count.run();
        }
        // A native backend leaves threads running.
        System.exit(0);
    }
}
