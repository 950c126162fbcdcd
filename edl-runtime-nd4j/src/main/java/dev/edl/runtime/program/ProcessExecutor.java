package dev.edl.runtime.program;

import dev.edl.Job;
import dev.edl.exec.JobExecutor;
import dev.edl.exec.LogLine;
import dev.edl.exec.local.LocalExecutor;
import dev.edl.exec.local.LocalExecutorBuilder;
import dev.edl.exec.local.LocalRun;
import dev.edl.plan.JobPlan;
import dev.edl.runtime.engine.EventHub;
import dev.edl.runtime.internal.threads.DaemonThreads;
import dev.edl.runtime.wire.auth.JobToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;

/**
 * Runs trainings as processes of this machine. The executor's jobs share one token, which a process needs to join a
 * training. A proof of the token is valid for one run only.
 *
 * <p>The token is in a file that only this user can read. It is in no plan, job record or log. If the executor's JVM is
 * killed, the file stays until the next executor of this user removes it.
 *
 * <pre>{@code
 * Job job = ProgramJobs.here(Mnist.class).name("mnist").ps(2).workers(4).elastic(1, 8).build();
 * try (ProcessExecutor executor = ProcessExecutor.create(); ProcessRun run = executor.submit(job)) {
 *   run.onTraining(ConsoleReport.to(System.out));
 *   run.kill("worker-0");                                    // kill -9; worker-4 takes over
 *   System.out.println(run.awaitResult(Duration.ofMinutes(5)).proof());
 * }
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class ProcessExecutor implements JobExecutor {
    private final LocalExecutor local;
    private final TokenDirectory directory;
    private final List<ProcessRun> runs = new ArrayList<>();
    private final Thread hook = new Thread(this::remove, "edl-processes-shutdown");
    private final ScheduledExecutorService looks =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("edl-processes-events"));

    private ProcessExecutor(LocalExecutorBuilder options) {
        try {
            this.directory = TokenDirectory.create();
            this.local = options.env(JobToken.TOKEN_FILE, directory.token().toString())
                    .env(SubmitterEventWriter.VARIABLE, directory.path().toString())
                    .build();
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IOException e) {
            throw new UncheckedIOException("the token of the jobs cannot be written", e);
        }
    }

    /** Returns an executor that discards the replicas' output. */
    public static ProcessExecutor create() {
        return new ProcessExecutor(LocalExecutor.builder());
    }

    /**
     * Returns an executor that passes on the replicas' output.
     *
     * @param logs receives each line of output, on threads of the executor
     */
    public static ProcessExecutor create(Consumer<LogLine> logs) {
        return new ProcessExecutor(LocalExecutor.builder().logsTo(logs));
    }

    /**
     * Returns an executor with the options of another one.
     *
     * @param options used for this executor only
     */
    public static ProcessExecutor of(LocalExecutorBuilder options) {
        return new ProcessExecutor(options);
    }

    @Override
    public ProcessRun submit(Job job) {
        return submit(job.plan());
    }

    /**
     * Starts a planned job and returns at once; fails as {@link LocalExecutor#submit(JobPlan)} does.
     *
     * @throws IllegalArgumentException also if a run with this run id was submitted here before, because its files
     *     and events would be taken for those of the new run
     */
    @Override
    public synchronized ProcessRun submit(JobPlan plan) {
        Path file = SubmitterEventWriter.file(directory.path(), plan.runId());
        if (Files.exists(file)) {
            throw new IllegalArgumentException("job \"" + plan.name() + "\": run \"" + plan.runId()
                    + "\" was submitted here already; ProgramJobs.here(...) gives each job a run id of its own");
        }
        LocalRun run = local.submit(plan);
        EventHub hub = new EventHub(plan.name(), List.of());
        ProcessRun followed = new ProcessRun(run, hub, new EventTail(file, hub), looks);
        hub.add(followed::replaceOverdue);
        runs.add(followed);
        return followed;
    }

    @Override
    public synchronized List<ProcessRun> jobs() {
        return List.copyOf(runs);
    }

    /**
     * Ends every job and all its processes, and deletes the token and the masters' events. A second call does nothing.
     */
    @Override
    public void close() {
        local.close();
        jobs().forEach(ProcessRun::close);
        looks.shutdown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // The shutdown hook does the same.
            return;
        }
        remove();
    }

    private void remove() {
        try {
            directory.close();
        } catch (IOException e) {
            throw new UncheckedIOException("the token of the jobs cannot be removed", e);
        }
    }
}
