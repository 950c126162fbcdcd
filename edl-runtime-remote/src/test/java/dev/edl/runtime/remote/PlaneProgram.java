package dev.edl.runtime.remote;

import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.optimizers.Consistency;
import java.nio.file.Path;

/** A training of the fixture's plane as a program: its words set consistency, epochs and the checkpoint directory. */
public final class PlaneProgram {
    private PlaneProgram() {}

    static Training training(String[] args) {
        TrainingBuilder training = Fixture.training(new LogisticModel(Fixture.FEATURES))
                .data(Fixture::records)
                .epochs(Integer.parseInt(args[1]))
                .consistency(args[0].equals("synchronous") ? Consistency.synchronous() : Consistency.asynchronous())
                .evaluationSteps(100);
        if (args.length > 2) {
            training.checkpointDirectory(Path.of(args[2])).checkpointSteps(50);
        }
        return training.build();
    }

    public static void main(String[] args) {
        TrainingProgram.run(args, job -> job.name("plane").ps(2).workers(2), () -> training(args));
    }
}
