package dev.edl.conformance.training;

import dev.edl.examples.WorkerPauseFile;
import dev.edl.examples.mnist.TrainMnist;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.program.TrainingProgram;
import java.nio.file.Path;
import java.time.Duration;

/** The tutorial's program, whose workers wait near the end of the data until the check has made its observations. */
public final class HeldMnist {
    /** Folder below the data, with the files by which the workers are held. */
    public static final String HOLDS = "holds";

    private HeldMnist() {}

    /** Arguments: the folder, and optionally the lease of a task in seconds. */
    public static void main(String[] args) {
        Path folder = Path.of(args[0]);
        String worker = System.getenv("WORKER_ID");
        TrainingProgram.run(args, () -> {
            TrainingBuilder training = TrainMnist.builder(
                    folder, data -> worker == null ? data : WorkerPauseFile.held(data, folder.resolve(HOLDS), worker));
            if (args.length > 1) {
                training.taskTimeout(Duration.ofSeconds(Long.parseLong(args[1])));
            }
            return training.build();
        });
    }
}
