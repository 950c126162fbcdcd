package dev.edl.notebook;

import static dev.edl.notebook.EdlNotebook.watch;
import static dev.edl.spec.Priority.LOW;

import dev.edl.Job;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.runtime.Training;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.TrainingRun;
import dev.edl.runtime.program.MasterLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The Java in docs/notebooks.md, in its order. */
@SuppressWarnings({"CheckReturnValue", "ReturnValueIgnored", "unused"}) // a cell shows its value
final class NotebooksPageExamples {
    private NotebooksPageExamples() {}

    static void first() {
        // region: first
        Job.builder().tensorflow().ps(2).workers(4).priority(LOW).gpu(1).build().plan();
        // end
    }

    static void html(Job job) throws IOException {
        // region: html
        Files.writeString(Path.of("plan.html"), JobHtml.of(job.plan()));
        // end
    }

    static void live(Training training) throws InterruptedException {
        // region: live
        var job = Job.builder()
                .name("digits")
                .elasticdl()
                .master()
                .ps(2)
                .workers(4)
                .elastic(1, 8)
                .build();
        var run = InProcessExecutor.of(training).submit(job);
        watch(run, Duration.ofMinutes(5));
        // end
    }

    static void scenario(TrainingRun run) throws InterruptedException {
        // region: scenario
        watch(run, Duration.ofMinutes(5), live -> {
            live.awaitShare(0.3);
            run.kill("worker-1");
            live.awaitShare(0.6);
            run.scale("worker", 6);
        });
        // end
    }

    static void pods(KubernetesExecutor executor, Job job) throws InterruptedException {
        var run = executor.submit(job);
        // region: pods
        var log = MasterLog.of(job.name());
        var lines = run.logs("master", log);
        watch(run, log, Duration.ofHours(2));
        // end
    }
}
