package dev.edl.examples;

import dev.edl.exec.JobStatus;
import dev.edl.exec.ReplicaStatus;
import dev.edl.exec.Subscription;
import dev.edl.runtime.ConsoleReport;
import dev.edl.runtime.Progress;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.program.TrainingSummary;
import dev.edl.spec.RoleType;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Follows a run: prints its progress, records its curve, and at the end prints its result and draws its chart. */
public final class RunReporter implements AutoCloseable {
    private static final Duration BOUND = Duration.ofMinutes(5);
    private static final Set<String> LIVE = Set.of("Pending", "Running", "Terminating");
    private static final Duration LOOK = Duration.ofMillis(10);

    private final TrainingRunView run;
    private final PrintStream out;
    private final ConsoleReport report;
    private final InterruptHandler interruption;
    private final List<Subscription> subscriptions;
    private final String metric;
    private final Chart chart;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    private RunReporter(TrainingRunView run, PrintStream out, String resume, String metric) {
        this.metric = metric;
        this.chart = new Chart(metric.equals("auc") ? "AUC" : metric);
        this.run = run;
        this.out = out;
        this.report = ConsoleReport.to(out);
        this.interruption = new InterruptHandler(run, report, resume);
        this.subscriptions = List.of(run.onTraining(this::training), run.onEvent(this::job));
    }

    /**
     * Follows a run until the returned object is closed. On Ctrl-C the run is cancelled and, if possible, writes a
     * checkpoint.
     *
     * @param resume command line that resumes the run
     * @param metric name of the evaluations' metric that the chart shows next to the loss, such as {@code accuracy}
     */
    public static RunReporter follow(TrainingRunView run, PrintStream out, String resume, String metric) {
        RunReporter outcome = new RunReporter(run, out, resume, metric);
        outcome.interruption.arm();
        return outcome;
    }

    private void training(TrainingEvent event) {
        interruption.heard(event);
        if (event instanceof TrainingEvent.Progressed progressed) {
            Progress progress = progressed.progress();
            chart.loss(progress.step(), progress.loss());
        } else if (event instanceof TrainingEvent.Evaluation evaluation) {
            Double value = evaluation.metrics().get(metric);
            if (value != null) {
                chart.quality(evaluation.step(), value);
            }
        }
        // With many short epochs the progress line suffices.
        if (!(event instanceof TrainingEvent.EpochStarted)) {
            interruption.unlessSaid(() -> report.accept(event));
        }
        signal();
    }

    private void job(JobEvent event) {
        switch (event.type()) {
            case RELAUNCHED, SCALED, RELAUNCH_LIMIT, JOB_FAILED, DEADLINE_EXCEEDED, SUBSTRATE_FAILED ->
                interruption.unlessSaid(() -> report.line(event.message()));
            default -> {}
        }
        signal();
    }

    private void signal() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until a share of the training's tasks is done, or until another condition holds.
     *
     * @param share share of the tasks, from 0 to 1
     * @param orElse the other condition
     * @return true once one of them holds; false when the job has ended before
     * @throws IllegalStateException when neither happens within five minutes
     */
    public boolean awaitProgress(double share, BooleanSupplier orElse) throws InterruptedException {
        return await(() -> orElse.getAsBoolean()
                || run.progress()
                        .filter(p -> p.tasksDone() >= share * p.tasks())
                        .isPresent());
    }

    /**
     * Waits until exactly this many workers run; ignores terminating workers. Returns false when the job has ended
     * before, and throws as {@link #await} does.
     */
    public boolean awaitRunning(int workers) throws InterruptedException {
        return await(() -> workers().filter(r -> r.status().equals("Running")).count() == workers);
    }

    /**
     * Waits until there are exactly this many workers, not counting ended ones, and all of them run. Returns false when
     * the job has ended before, and throws as {@link #await} does.
     */
    public boolean awaitWorkers(int workers) throws InterruptedException {
        return awaitWorkers(workers, "");
    }

    /**
     * Waits as {@link #awaitWorkers(int)} does, and until one of the workers has a name that ends with {@code newest},
     * such as {@code worker-4}.
     */
    public boolean awaitWorkers(int workers, String newest) throws InterruptedException {
        return await(() -> {
            // One snapshot: two reads could see the old worker running and then the new one pending.
            List<ReplicaStatus> seen = workers().toList();
            return seen.size() == workers
                    && seen.stream().allMatch(r -> r.status().equals("Running"))
                    && seen.stream().anyMatch(r -> r.name().endsWith(newest));
        });
    }

    /**
     * Waits as {@link #awaitWorkers(int)} does, and until a worker such as {@code worker-0} is none of the workers.
     */
    public boolean awaitWorkersWithout(String lost, int workers) throws InterruptedException {
        return await(() -> {
            List<ReplicaStatus> seen = workers().toList();
            return seen.size() == workers
                    && seen.stream().allMatch(r -> r.status().equals("Running"))
                    && seen.stream().noneMatch(r -> r.name().endsWith("-" + lost));
        });
    }

    /** Returns the running workers such as {@code worker-0}, in the order of their ids. */
    public List<String> runningWorkers() {
        return workers()
                .filter(r -> r.status().equals("Running"))
                .sorted(Comparator.comparingInt(ReplicaStatus::id))
                .map(r -> r.name().substring(r.name().lastIndexOf("worker-")))
                .toList();
    }

    /**
     * Waits until a replica such as {@code ps-1} runs and was restarted at least once. Returns false when the job has
     * ended before, and throws as {@link #await} does.
     */
    public boolean awaitRestart(String replica) throws InterruptedException {
        return await(() -> run.status().replicas().stream()
                .anyMatch(r -> r.name().endsWith("-" + replica)
                        && r.restarts() > 0
                        && r.status().equals("Running")));
    }

    /** Returns the workers that have not ended; the status lists ended ones too, such as a killed worker. */
    private Stream<ReplicaStatus> workers() {
        return run.status().replicas().stream()
                .filter(r -> r.role() == RoleType.WORKER)
                .filter(r -> LIVE.contains(r.status()));
    }

    /**
     * Waits until a condition holds.
     *
     * @return true once the condition holds; false when the job has ended before
     * @throws IllegalStateException when neither happens within five minutes
     */
    public boolean await(BooleanSupplier condition) throws InterruptedException {
        long left = BOUND.toNanos();
        lock.lock();
        try {
            while (!ended()) {
                if (condition.getAsBoolean()) {
                    return true;
                }
                if (left <= 0) {
                    throw new IllegalStateException(
                            "the requested change did not happen within " + BOUND + ":\n" + run.status());
                }
                left -= LOOK.toNanos() - Math.max(0, changed.awaitNanos(LOOK.toNanos()));
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Changes the run and, if that succeeds, marks the change in the chart.
     *
     * @param label text of the mark in the chart
     * @param change sends the request to the run
     * @return false when the job has ended and cannot be changed
     */
    public boolean change(String label, Runnable change) {
        long step = run.progress().map(Progress::step).orElse(0L);
        if (!ask(change)) {
            return false;
        }
        chart.mark(step, label);
        return true;
    }

    private boolean ask(Runnable request) {
        try {
            request.run();
            return true;
        } catch (IllegalStateException e) {
            if (ended()) {
                return false;
            }
            throw e;
        }
    }

    private boolean ended() {
        return run.status().phase().ended();
    }

    /**
     * Handles the failure of a request to a run that was closed. If this JVM is shutting down, as on Ctrl-C, waits for
     * its end, so that the interruption's output comes last.
     *
     * @param failure exception that the request to the run threw
     * @throws IllegalStateException the given failure, when this JVM is not shutting down
     */
    public static void awaitInterruption(IllegalStateException failure) throws InterruptedException {
        InterruptHandler.awaitEnd(failure);
    }

    /**
     * Prints the table of the replicas.
     *
     * @param when moment for the table's title, such as {@code scaled to 6 workers}
     */
    public void table(String when) {
        report.line("\nkubectl get pods, " + when + ":\n" + run.status().table().stripTrailing() + "\n");
    }

    /** Prints a line. */
    public void line(String text) {
        report.line(text);
    }

    /**
     * Prints the result of the run and the paths of its files, and writes the chart.
     *
     * @param end final status of the job
     * @param output output folder of the run
     * @param title title of the chart
     * @return exit code: 0 when the job succeeded and each record was applied exactly once, 130 when Ctrl-C interrupted
     *     it, otherwise 1
     */
    public int print(JobStatus end, OutputFolder output, String title) throws InterruptedException {
        if (interruption.happened()) {
            return InterruptHandler.EXIT_CODE;
        }
        out.println();
        if (end.phase() != JobPhase.SUCCEEDED) {
            out.println("job " + end.job() + " " + end.phase() + (end.message().isEmpty() ? "" : ": " + end.message()));
            return 1;
        }
        TrainingSummary result = run.result().orElseThrow();
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
        out.println(
                "Again: " + result.reproduce().lines().findFirst().orElseThrow().replaceFirst("command: ", ""));
        out.println("Files:");
        result.checkpoint().ifPresent(p -> out.println("  checkpoint   " + p));
        result.export().ifPresent(p -> out.println("  model        " + p));
        out.println("  TensorBoard  tensorboard --logdir " + output.events());
        if (Files.isDirectory(output.logs())) {
            out.println("  logs         " + output.logs());
        }
        picture(output.picture(), png -> chart.write(title, png));
        return result.exactlyOnce() ? 0 : 1;
    }

    /** Writer of a picture. */
    @FunctionalInterface
    public interface Drawing {
        /** Writes the picture to a PNG file. */
        void write(Path png) throws IOException;
    }

    /**
     * Writes a picture and prints its path in the list of files; if the picture cannot be drawn, prints the reason
     * instead.
     */
    public void picture(Path png, Drawing drawing) {
        try {
            drawing.write(png);
            out.println("  picture      " + png);
        } catch (IOException | LinkageError | InternalError e) {
            // A JRE without fonts cannot draw, which does not affect the training.
            out.println("  no picture: " + e);
        }
    }

    /** Stops following the run, and restores the default handling of Ctrl-C. */
    @Override
    public void close() {
        subscriptions.forEach(Subscription::close);
        interruption.close();
    }
}
