package dev.edl.notebook;

import dev.edl.exec.JobHandle;
import dev.edl.exec.Subscription;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.inprocess.TrainingRun;
import dev.edl.runtime.program.MasterLog;
import dev.edl.runtime.program.ProcessRun;
import dev.edl.runtime.program.TrainingSummary;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Waits for a training in a cell and shows its progress, loss, curve and workers, updated at most four times a second.
 * The last update stays in the cell.
 *
 * <pre>{@code
 * var run = InProcessExecutor.of(training).submit(job);
 * watch(run, Duration.ofMinutes(5))
 * }</pre>
 *
 * <p>An interrupt of the cell cancels the run. If the job has not ended within the limit, it continues and another cell
 * can watch it. A {@link Scenario} can change the run meanwhile. When a scenario fails, the cell shows the reason at
 * once, and {@code watch} throws an {@link IllegalStateException} after the job has succeeded.
 */
public final class EdlNotebook {
    private static final Duration AT_ONCE = Duration.ofSeconds(10);
    private static final Scenario NOTHING = live -> {};

    private static volatile Supplier<LiveDisplay> displays = EdlNotebook::console;

    private EdlNotebook() {}

    /** Sets the source from which each watching cell gets a display. The kernel's extension calls it. */
    public static void showOn(Supplier<LiveDisplay> where) {
        displays = Objects.requireNonNull(where, "where");
    }

    /** Returns a display for use without a notebook, which prints a note at its first update and nothing afterwards. */
    private static LiveDisplay console() {
        AtomicBoolean begun = new AtomicBoolean();
        return (html, text) -> {
            if (!begun.getAndSet(true)) {
                System.out.println(text + "\nNo notebook display is available;"
                        + " run.onTraining(ConsoleReport.to(System.out)) prints the progress.");
            }
        };
    }

    /**
     * Waits for a training in this JVM and shows it.
     *
     * @return its result
     * @throws dev.edl.exec.JobFailedException when the job failed or was cancelled
     * @throws dev.edl.exec.AwaitTimeoutException when it has not ended within the limit; it continues
     * @throws InterruptedException when the cell is interrupted, which cancels the job
     */
    public static TrainingResult watch(TrainingRun run, Duration limit) throws InterruptedException {
        return watch(run, limit, NOTHING);
    }

    /** Waits as {@link #watch(TrainingRun, Duration)} does, and runs a scenario meanwhile. */
    public static TrainingResult watch(TrainingRun run, Duration limit, Scenario scenario) throws InterruptedException {
        follow(run, run::onTraining, limit, scenario, () -> {});
        return run.awaitResult(AT_ONCE);
    }

    /**
     * Waits for a training whose replicas are local processes and shows it.
     *
     * @return its result
     * @throws dev.edl.exec.JobFailedException when the job failed or was cancelled
     * @throws dev.edl.exec.AwaitTimeoutException when it has not ended within the limit; it continues
     * @throws InterruptedException when the cell is interrupted, which cancels the job
     */
    public static TrainingSummary watch(ProcessRun run, Duration limit) throws InterruptedException {
        return watch(run, limit, NOTHING);
    }

    /** Waits as {@link #watch(ProcessRun, Duration)} does, and runs a scenario meanwhile. */
    public static TrainingSummary watch(ProcessRun run, Duration limit, Scenario scenario) throws InterruptedException {
        follow(run, run::onTraining, limit, scenario, () -> {});
        return run.awaitResult(AT_ONCE);
    }

    /**
     * Waits for a training whose replicas are pods and shows it.
     *
     * <pre>{@code
     * var log = MasterLog.of(job.name());
     * run.logs("master", log);
     * watch(run, log, Duration.ofHours(2))
     * }</pre>
     *
     * @param log receives the log lines of the run's master
     * @return its result
     * @throws dev.edl.exec.JobFailedException when the job failed or was cancelled
     * @throws dev.edl.exec.AwaitTimeoutException when it has not ended within the limit; it continues
     * @throws IllegalStateException when the log does not contain the result ten seconds after the end
     * @throws InterruptedException when the cell is interrupted, which cancels the job
     */
    public static TrainingSummary watch(JobHandle run, MasterLog log, Duration limit) throws InterruptedException {
        return watch(run, log, limit, NOTHING);
    }

    /** Waits as {@link #watch(JobHandle, MasterLog, Duration)} does, and runs a scenario meanwhile. */
    public static TrainingSummary watch(JobHandle run, MasterLog log, Duration limit, Scenario scenario)
            throws InterruptedException {
        follow(run, log::onTraining, limit, scenario, () -> awaitResult(log));
        run.awaitSuccess(AT_ONCE);
        return log.result()
                .orElseThrow(
                        () -> new IllegalStateException("job \"" + run.plan().name()
                                + "\" succeeded, but the MasterLog has no result; feed it the master's log lines:"
                                + " run.logs(\"master\", log)"));
    }

    /**
     * Waits for the result in the master's log, and then for the delivery of its events, ten seconds each. A pod's last
     * lines may arrive after its end.
     */
    private static void awaitResult(MasterLog log) throws InterruptedException {
        long began = System.nanoTime();
        while (log.result().isEmpty() && System.nanoTime() - began < AT_ONCE.toNanos()) {
            TimeUnit.NANOSECONDS.sleep(LiveCell.PERIOD.toNanos());
        }
        log.drain(AT_ONCE);
    }

    private static void follow(
            JobHandle run,
            Function<Consumer<TrainingEvent>, Subscription> training,
            Duration limit,
            Scenario scenario,
            LiveCell.RemainingOutput remaining)
            throws InterruptedException {
        new LiveCell(run, training, displays.get(), System::nanoTime).watch(limit, scenario, remaining);
    }
}
