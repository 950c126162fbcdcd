package dev.edl.exec.local;

import dev.edl.Job;
import java.time.Duration;

/** Program whose event listener or log reader exits it with code 7 while a job of two servers and a chief runs. */
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
                // All events of the start may already be delivered.
                run.cancel();
            }
            run.await(Duration.ofMinutes(1));
        } catch (IllegalStateException e) {
            // Its run was closed because the JVM ends.
            System.out.println("closed");
        }
    }
}
