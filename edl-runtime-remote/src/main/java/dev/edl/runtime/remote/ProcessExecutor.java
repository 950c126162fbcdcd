package dev.edl.runtime.remote;

import dev.edl.Job;
import dev.edl.exec.JobExecutor;
import dev.edl.exec.LogLine;
import dev.edl.exec.local.LocalExecutor;
import dev.edl.exec.local.LocalExecutorBuilder;
import dev.edl.exec.local.LocalRun;
import dev.edl.plan.JobPlan;
import dev.edl.runtime.remote.auth.JobToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs trainings as processes of this machine, each job with a token of its own: a process that does not know it joins no
 * training. The token is in a file that only this user can read, and in no plan, record or log. An executor whose JVM is killed leaves
 * the file, and the next one of this user removes it.
 *
 * <pre>{@code
 * Job job = TrainingJobs.here(Mnist.class).name("mnist").ps(2).workers(4).elastic(1, 8).build();
 * try (ProcessExecutor executor = ProcessExecutor.create(); LocalRun run = executor.submit(job)) {
 *   run.kill("worker-0");                                    // kill -9; worker-4 takes over
 *   run.awaitSuccess(Duration.ofMinutes(5));
 * }
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class ProcessExecutor implements JobExecutor {
    private final LocalExecutor local;
    private final TokenFolder tokens;

    private ProcessExecutor(LocalExecutorBuilder options) {
        try {
            this.tokens = TokenFolder.create();
            this.local =
                    options.env(JobToken.TOKEN_FILE, tokens.token().toString()).build();
        } catch (IOException e) {
            throw new UncheckedIOException("the token of the jobs cannot be written", e);
        }
    }

    /** Returns an executor that shows the replicas' output nowhere. */
    public static ProcessExecutor create() {
        return new ProcessExecutor(LocalExecutor.builder());
    }

    /**
     * Returns an executor that passes on what the replicas print.
     *
     * @param logs called line by line, on threads of the executor
     */
    public static ProcessExecutor create(Consumer<LogLine> logs) {
        return new ProcessExecutor(LocalExecutor.builder().logsTo(logs));
    }

    /**
     * Returns an executor with the options of another one.
     *
     * @param options not to be used for anything else
     */
    public static ProcessExecutor of(LocalExecutorBuilder options) {
        return new ProcessExecutor(options);
    }

    @Override
    public LocalRun submit(Job job) {
        return local.submit(job);
    }

    @Override
    public LocalRun submit(JobPlan plan) {
        return local.submit(plan);
    }

    @Override
    public List<LocalRun> jobs() {
        return local.jobs();
    }

    /** Ends every job and all its processes, and removes the token. */
    @Override
    public void close() {
        local.close();
        try {
            tokens.close();
        } catch (IOException e) {
            throw new UncheckedIOException("the token of the jobs cannot be removed", e);
        }
    }
}
