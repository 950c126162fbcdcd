package dev.edl.conformance.training;

import dev.edl.examples.HeldFiles;
import dev.edl.examples.mnist.TrainMnist;
import dev.edl.runtime.program.TrainingProgram;
import java.nio.file.Path;

/** The tutorial's program, whose workers wait near the end of the data until the check has made its observations. */
final class HeldMnist {
    static final String HOLDS = "holds";

    private HeldMnist() {}

    public static void main(String[] args) {
        Path folder = Path.of(args[0]);
        String worker = System.getenv("WORKER_ID");
        TrainingProgram.run(
                args,
                () -> TrainMnist.training(
                        folder, data -> worker == null ? data : HeldFiles.held(data, folder.resolve(HOLDS), worker)));
    }
}
