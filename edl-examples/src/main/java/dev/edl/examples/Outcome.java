package dev.edl.examples;

import dev.edl.exec.JobStatus;
import dev.edl.reconcile.JobEvent;
import dev.edl.reconcile.JobPhase;
import dev.edl.runtime.ConsoleReport;
import dev.edl.runtime.Progress;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.TrainingRun;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** Follows a run: prints it, draws it, and says at the end what came of it. */
public final class Outcome {
    private static final Duration BOUND = Duration.ofMinutes(5);

    private final TrainingRun run;
    private final PrintStream out;
    private final ConsoleReport report;
    private final Chart chart = new Chart();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    private Outcome(TrainingRun run, PrintStream out) {
        this.run = run;
        this.out = out;
        this.report = ConsoleReport.to(out);
    }

    /** Starts to follow a run; on Ctrl-C the run is stopped with a checkpoint. */
    public static Outcome follow(TrainingRun run, PrintStream out) {
        Outcome outcome = new Outcome(run, out);
        run.onTraining(outcome::training);
        run.onEvent(outcome::job);
        Runtime.getRuntime().addShutdownHook(new Thread(outcome::interrupted, "edl-example-shutdown"));
        return outcome;
    }

    private void training(TrainingEvent event) {
        report.accept(event);
        if (event instanceof TrainingEvent.Loss loss) {
            chart.loss(loss.steps(), loss.loss());
        } else if (event instanceof TrainingEvent.Evaluation evaluation) {
            Double accuracy = evaluation.metrics().get("accuracy");
            if (accuracy != null) {
                chart.accuracy(evaluation.step(), accuracy);
            }
        }
        signal();
    }

    private void job(JobEvent event) {
        switch (event.type()) {
            case RELAUNCHED, SCALED, RELAUNCH_LIMIT, JOB_FAILED, DEADLINE_EXCEEDED, SUBSTRATE_FAILED ->
                report.line(event.message());
            default -> {}
        }
        signal();
    }

    private void interrupted() {
        if (!run.status().phase().ended()) {
            run.cancel();
            report.line("Interrupted: the job is cancelled.");
        }
    }

    private void signal() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until a share of the tasks, 0 to 1, is done, or the job has ended; at most five minutes. */
    public void awaitProgress(double share) throws InterruptedException {
        await(() -> {
            Progress p = run.progress();
            return p.tasksDone() >= share * p.tasks();
        });
    }

    /** Waits until a replica such as {@code worker-4} runs, or the job has ended. */
    public void awaitRunning(String replica) throws InterruptedException {
        await(() -> run.status().replicas().stream()
                .anyMatch(r -> r.name().endsWith("-" + replica) && r.status().equals("Running")));
    }

    /** Waits until there are exactly so many workers, or the job has ended. */
    public void awaitWorkers(int workers) throws InterruptedException {
        await(() -> run.status().replicas().stream()
                        .filter(r -> r.role() == dev.edl.RoleType.WORKER)
                        .count()
                == workers);
    }

    private void await(BooleanSupplier condition) throws InterruptedException {
        long left = BOUND.toNanos();
        lock.lock();
        try {
            while (!condition.getAsBoolean() && !run.status().phase().ended() && left > 0) {
                long slice = TimeUnit.MILLISECONDS.toNanos(10);
                left -= slice - Math.max(0, changed.awaitNanos(slice));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Prints the table of the replicas. */
    public void table(String when, JobStatus status) {
        report.line("");
        report.line("kubectl get pods, " + when + ":");
        report.line(status.table().stripTrailing());
        report.line("");
    }

    /** Marks a change of the membership in the picture. */
    public void mark(String label) {
        chart.mark(run.progress().step(), label);
    }

    /**
     * Says what came of the run.
     *
     * @return the exit code: 0 when the job succeeded, else 1
     */
    public int print(JobStatus end, Path output, String title) {
        out.println();
        if (end.phase() != JobPhase.SUCCEEDED) {
            out.println("job " + end.job() + " " + end.phase() + (end.message().isEmpty() ? "" : ": " + end.message()));
            return 1;
        }
        TrainingResult result = run.result().orElseThrow();
        for (Map.Entry<String, Double> metric : new TreeMap<>(result.metrics()).entrySet()) {
            out.printf(Locale.ROOT, "Test %s: %.4f%n", metric.getKey(), metric.getValue());
        }
        out.printf(
                Locale.ROOT,
                "Trained %,d records in %.1f s, %,.0f samples/s, %,d steps%n",
                result.records(),
                result.took().toMillis() / 1000.0,
                result.recordsPerSecond(),
                result.steps());
        out.println("Proof: " + result.proof().replace("\n", "\n       "));
        out.println("Files:");
        result.checkpoint().ifPresent(p -> out.println("  checkpoint   " + p));
        result.export().ifPresent(p -> out.println("  model        " + p));
        out.println("  TensorBoard  tensorboard --logdir " + output.resolve("events"));
        draw(output.resolve("training.png"), title);
        return result.exactlyOnce() ? 0 : 1;
    }

    private void draw(Path png, String title) {
        try {
            chart.write(title, png);
            out.println("  picture      " + png);
        } catch (IOException | LinkageError | InternalError e) {
            // A JRE without fonts cannot draw; the training is none the worse for it.
            out.println("  no picture: " + e);
        }
    }
}
