package dev.edl.bench.remote;

import dev.edl.bench.runtime.CountedModel;
import dev.edl.bench.runtime.ModelCase;
import dev.edl.bench.runtime.Worker;
import dev.edl.runtime.program.TrainingProgram;
import java.io.IOException;
import java.nio.file.Path;

/** Main program of each replica of {@link Processes}, and, in a pod, of the JVM that only computes. */
public final class Replica {
    private Replica() {}

    /**
     * Arguments: {@code COUNTS [alone]}. COUNTS is the file of {@link StepCounts}; with {@code alone} the JVM loads the
     * backend, computes one minibatch and ends.
     */
    public static void main(String[] args) throws IOException {
        Runnable count = StepCounts.of(Path.of(args[0])).worker();
        if (args.length > 1) {
            alone(count);
        }
        CountedModel model = new CountedModel(ModelCase.mlp().model(), count, 1);
        TrainingProgram.run(args, () -> Processes.training(model));
    }

    private static void alone(Runnable count) {
        count.run();
        try (Worker worker = new Worker(ModelCase.mlp(), Processes.BATCH)) {
            worker.step();
            count.run();
        }
        // A native backend leaves threads running.
        System.exit(0);
    }
}
