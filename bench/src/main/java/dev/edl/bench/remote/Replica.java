package dev.edl.bench.remote;

import dev.edl.bench.runtime.CountedModel;
import dev.edl.bench.runtime.ModelCase;
import dev.edl.runtime.program.TrainingProgram;
import java.io.IOException;
import java.nio.file.Path;

/** The program of each replica of {@link Processes}. */
public final class Replica {
    private Replica() {}

    /** {@code COUNTS}: the file of {@link StepCounts}. */
    public static void main(String[] args) throws IOException {
        StepCounts counts = StepCounts.of(Path.of(args[0]));
        CountedModel model = new CountedModel(ModelCase.mlp().model(), counts.worker(), 1);
        TrainingProgram.run(args, () -> Processes.training(model));
    }
}
