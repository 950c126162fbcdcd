package dev.edl.runtime.program;

import dev.edl.Job;
import dev.edl.exec.JobStatus;
import dev.edl.exec.LogLine;
import dev.edl.exec.local.LocalExecutor;
import dev.edl.runtime.ConsoleReport;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;

/**
 * Runs the job of a program that a person started, as processes of this machine, and prints what an in-process training
 * prints.
 */
final class LocalSubmitter {
    private static final Duration ANY = Duration.ofDays(36_500);

    private final PrintStream out;
    private final ConsoleReport report;

    LocalSubmitter(PrintStream out) {
        this.out = out;
        this.report = ConsoleReport.to(out);
    }

    /** Runs a job to its end. Returns whether it succeeded and applied each record exactly once in each epoch. */
    boolean run(Job job) throws InterruptedException {
        try (ProcessExecutor executor = ProcessExecutor.of(
                        LocalExecutor.builder().logsTo(this::said).env(ReplicaStdout.VARIABLE, ReplicaStdout.OFF));
                ProcessRun run = executor.submit(job)) {
            run.onTraining(report);
            run.onEvent(this::happened);
            JobStatus end = run.await(ANY);
            report.end();
            if (end.phase() != JobPhase.SUCCEEDED) {
                out.println("job " + end.job() + " " + end.phase() + ": " + end.message());
                return false;
            }
            Optional<TrainingSummary> summary = run.result();
            summary.ifPresent(out::println);
            return summary.map(TrainingSummary::exactlyOnce).orElse(false);
        } catch (IllegalStateException closed) {
            if (isEnding()) {
                // On Ctrl-C the executor ends the processes, and the exit code is the signal's.
                return false;
            }
            throw closed;
        }
    }

    private static boolean isEnding() {
        Thread hook = new Thread(() -> {}, "edl-submission-ending");
        try {
            Runtime.getRuntime().addShutdownHook(hook);
            return !Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            return true;
        }
    }

    /** Prints a line that the user's program printed in a replica, and the reason if a replica ends. */
    private void said(LogLine line) {
        report.line(line.toString());
    }

    private void happened(JobEvent event) {
        switch (event.type()) {
            case RELAUNCHED, SCALED, REPLICA_FAILED, RELAUNCH_LIMIT, DEADLINE_EXCEEDED, SUBSTRATE_FAILED ->
                report.line(event.message());
            default -> {}
        }
    }
}
