package dev.edl.runtime.program;

import java.nio.file.Path;
import java.time.Duration;

/** Program that submits an endless training and prints its lines, until it is killed. */
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
