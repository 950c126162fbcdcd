package dev.edl.runtime.program;

import dev.edl.JobBuilder;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.LearningRateSchedule;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * Program with the fixture's training: its arguments set consistency, epochs, the checkpoint directory, and the kills
 * of its processes.
 */
public final class PlaneProgram {
    /** Third argument of a training without a checkpoint directory. */
    static final String NO_DIRECTORY = "none";

    private PlaneProgram() {}

    /** Returns a job of this program. */
    static JobBuilder job(String... words) {
        return brief(ProgramJobs.here(PlaneProgram.class, words));
    }

    /**
     * Gives each process the VM flags of this one: in the tests, no optimizing compiler, because a process lives for
     * seconds.
     */
    static JobBuilder brief(JobBuilder job) {
        return job.env(
                "JDK_JAVA_OPTIONS",
                ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                        .filter(argument -> argument.startsWith("-XX:"))
                        .collect(Collectors.joining(" ")));
    }

    static Training training(String[] args) {
        boolean doomed = System.getenv(Doom.FOLDER) != null;
        Doom doom = doomed ? Doom.of(System.getenv(), Arrays.asList(args).subList(3, args.length)) : null;
        TrainingBuilder training = Fixture.training(doom == null ? new LogisticModel(Fixture.FEATURES) : doom.model())
                .data(Fixture::records)
                .epochs(Integer.parseInt(args[1]))
                .consistency(args[0].equals("synchronous") ? Consistency.synchronous() : Consistency.asynchronous())
                .evaluationSteps(100);
        if (args.length > 2 && !args[2].equals(NO_DIRECTORY)) {
            training.checkpointDirectory(Path.of(args[2])).checkpointSteps(50);
        }
        if (doom != null) {
            AtomicInteger progress = new AtomicInteger();
            training.learningRate(LearningRateSchedule.custom("doomed", doom::rate))
                    .onTraining(event -> {
                        if (event instanceof TrainingEvent.Progressed) {
                            doom.reached("progress", progress.incrementAndGet());
                        } else if (event instanceof TrainingEvent.CheckpointWritten written) {
                            doom.reached("checkpoint", written.version());
                        }
                    });
            Runtime.getRuntime().addShutdownHook(new Thread(() -> doom.reached("exit", 0)));
        }
        return training.build();
    }

    public static void main(String[] args) {
        TrainingProgram.run(args, job -> brief(job).name("plane").ps(1).workers(1), () -> training(args));
    }
}
