package dev.edl.runtime.program;

import dev.edl.Job;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.inprocess.Waits;
import dev.edl.runtime.wire.watch.EventJson;
import dev.edl.status.JobEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Replicas that the master reports as overdue; here they are shells, and the server stops itself by SIGSTOP. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class OverdueReplicaTest {
    private static final String RUN = "run-1";

    @TempDir
    Path folder;

    /**
     * Returns a job whose master reports an event once the server runs.
     *
     * @param server script of the server, which creates the file RUNS
     */
    private Job job(TrainingEvent event, String server) throws IOException {
        Path line = Files.writeString(
                folder.resolve("event"), EventJson.write(event).orElseThrow() + "\n");
        Path runs = folder.resolve("runs");
        return Job.builder()
                .elasticdl()
                .name("unit")
                .runId(RUN)
                .master()
                .command(
                        "sh",
                        "-c",
                        "until [ -f " + runs + " ]; do sleep 0.05; done; cat " + line + " >> \"$EDL_EVENTS/" + RUN
                                + ".events\"; while :; do sleep 1; done")
                .ps(1)
                .command("sh", "-c", server.replace("RUNS", runs.toString()) + "while :; do sleep 1; done")
                .workers(1)
                .command("sh", "-c", "while :; do sleep 1; done")
                .build();
    }

    private static TrainingEvent.ReplicaAbsent overdue(Duration since) {
        return new TrainingEvent.ReplicaAbsent("ps-0", since, "3 workers wait for it", true);
    }

    @Test
    void a_stopped_server_that_is_overdue_is_killed_and_replaced() throws Exception {
        CountDownLatch replaced = new CountDownLatch(1);
        try (ProcessExecutor executor = ProcessExecutor.create();
                ProcessRun run = executor.submit(
                        job(overdue(Duration.ZERO), "[ -f RUNS ] || { touch RUNS; kill -STOP $$; }; "))) {
            run.onEvent(event -> {
                if (event.type() == JobEvent.Type.RELAUNCHED
                        && event.message().equals("Relaunch the ps: elasticdl-unit-ps-0")) {
                    replaced.countDown();
                }
            });

            Waits.on(replaced);
        }
    }

    @Test
    void a_process_that_is_younger_than_the_absence_is_not_killed() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        Path asked = folder.resolve("asked");
        // A successor would not answer.
        String server = "[ -f RUNS ] && exec sleep 60; touch RUNS; until [ -f " + asked + " ]; do sleep 0.05; done;"
                + " echo answers; ";
        try (ProcessExecutor executor = ProcessExecutor.create(line -> {
                    if (line.text().equals("answers")) {
                        answered.countDown();
                    }
                });
                ProcessRun run = executor.submit(job(overdue(Duration.ofMinutes(10)), server))) {
            // Called after the executor's own listener.
            run.onTraining(event -> told.countDown());
            Waits.on(told);
            Files.createFile(asked);

            Waits.on(answered);
        }
    }
}
