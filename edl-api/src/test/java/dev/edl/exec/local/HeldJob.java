package dev.edl.exec.local;

import dev.edl.Job;
import dev.edl.exec.JobStatus;
import java.time.Duration;

/**
 * Program that runs a job of two servers and a chief that never end, and prints their lines until it is ended. Each has
 * a child in its own session.
 */
final class HeldJob {
    private HeldJob() {}

    public static void main(String[] arguments) throws InterruptedException {
        String script = "perl -MPOSIX -e '$|=1; setsid; print \"child $$\\n\"; exec qw(sleep 600)' & echo up $$;"
                + " while :; do sleep 1; done";
        Job job = Job.named("held")
                .tensorflow()
                .command("sh", "-c", script)
                .chief()
                .ps(2)
                .build();
        try (LocalExecutor local = LocalExecutor.builder()
                        .logsTo(System.out)
                        .grace(Duration.ofSeconds(5))
                        .build();
                LocalRun run = local.submit(job)) {
            JobStatus end = run.await(Duration.ofMinutes(10));
            System.out.println(end);
        }
    }
}
