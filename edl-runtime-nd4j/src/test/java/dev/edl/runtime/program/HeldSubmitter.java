package dev.edl.runtime.program;

import java.nio.file.Path;
import java.time.Duration;

/** A program that submits a training without an end, and prints its lines; it ends only when it is ended. */
public final class HeldSubmitter {
    private HeldSubmitter() {}

    public static void main(String[] args) throws InterruptedException {
        String kept = Path.of(args[0]).resolve("kept").toString();
        try (ProcessExecutor executor = ProcessExecutor.create(line -> System.out.println(line));
                ProcessRun run = executor.submit(PlaneProgram.job("asynchronous", "1000000", kept)
                        .name("held")
                        .env(Doom.FOLDER, args[0])
                        .ps(1)
                        .workers(2)
                        .build())) {
            System.out.println(run.await(Duration.ofMinutes(10)));
        }
    }
}
