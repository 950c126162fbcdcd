package dev.edl.exec.local;

import dev.edl.Job;
import java.time.Duration;

/** A program whose listener of events, or reader of logs, ends it with 7 while a job of two servers and a chief runs. */
final class ExitingJob {
    private ExitingJob() {}

    public static void main(String[] arguments) throws InterruptedException {
        LocalExecutorBuilder options = LocalExecutor.builder().grace(Duration.ofSeconds(5));
        if (arguments[0].equals("line")) {
            options.logsTo(line -> System.exit(7));
        }
        Job job = Job.named("exiting")
                .tensorflow()
                .command("sh", "-c", "echo up; while :; do sleep 1; done")
                .chief()
                .ps(2)
                .build();
        try (LocalExecutor local = options.build();
                LocalRun run = local.submit(job)) {
            if (arguments[0].equals("event")) {
                run.onEvent(event -> System.exit(7));
                // All that a start tells may have been told already.
                run.cancel();
            }
            run.await(Duration.ofMinutes(1));
        } catch (IllegalStateException e) {
            // The run was closed under it, as the JVM ends.
            System.out.println("closed");
        }
    }
}
