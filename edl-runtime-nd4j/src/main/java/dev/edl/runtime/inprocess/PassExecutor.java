package dev.edl.runtime.inprocess;

import dev.edl.Job;
import dev.edl.exec.ControlLoop;
import dev.edl.exec.ExecutorRuns;
import dev.edl.exec.JobExecutor;
import dev.edl.plan.JobPlan;
import dev.edl.runtime.Evaluation;
import dev.edl.runtime.Prediction;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.engine.EventHub;
import dev.edl.runtime.engine.RunClock;
import dev.edl.runtime.engine.SharedPassState;
import dev.edl.runtime.engine.pass.Pass;
import dev.edl.runtime.engine.pass.PassResultCollector;
import dev.edl.runtime.internal.text.ExceptionText;
import dev.edl.spec.RoleType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.List;

/**
 * Runs evaluations or predictions in this JVM, each replica of the job as a thread.
 * {@link InProcessExecutor#of(Evaluation)} and {@link InProcessExecutor#of(Prediction)} create it.
 *
 * <p>The job is the same value as for a training: an elasticdl job with a master and workers, which may be elastic. It
 * needs no parameter servers, because each worker has the parameters, which do not change. If the job has parameter
 * servers, they start, hold no state, and may be killed like any replica. Thread-safe.
 *
 * @param <R> the result of a job
 */
public final class PassExecutor<R> implements JobExecutor {
    private final Pass<R> pass;
    private final String what;
    private final InstantSource clock;
    private final ExecutorRuns<PassRun<R>> runs = new ExecutorRuns<>();

    PassExecutor(Pass<R> pass, String what, InstantSource clock) {
        this.pass = pass;
        this.what = what;
        this.clock = clock;
    }

    /**
     * Starts a job and returns at once.
     *
     * @throws IllegalArgumentException if the job cannot run in this JVM, another job of this executor runs, or the
     *     parameters do not match the model. The job must be an elasticdl job with a master and workers. For a
     *     mismatch, the message names the first parameter that differs
     * @throws IllegalStateException if the executor is closed
     * @throws UncheckedIOException if the parameters cannot be read, or the predictions cannot be written
     */
    @Override
    public PassRun<R> submit(Job job) {
        return submit(job.plan());
    }

    @Override
    public PassRun<R> submit(JobPlan plan) {
        InProcessLauncher.check(plan, false);
        return runs.submit(() -> begin(plan));
    }

    private PassRun<R> begin(JobPlan plan) {
        InProcessLauncher.checkOpen(runs, plan);
        for (PassRun<R> other : runs.all()) {
            // Two concurrent jobs would write to the same files.
            if (other.live()) {
                throw new IllegalArgumentException("job \"" + plan.name() + "\" cannot run beside job \""
                        + other.plan().name() + "\", which runs here; await it, or use an executor of its own");
            }
        }
        try {
            PassRun<R> run = start(plan);
            runs.put(plan.name(), run);
            return run;
        } catch (IOException e) {
            throw new UncheckedIOException("job \"" + plan.name() + "\": " + ExceptionText.of(e), e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("job \"" + plan.name() + "\": " + e.getMessage(), e);
        }
    }

    private PassRun<R> start(JobPlan plan) throws IOException {
        // Before the writer begins, which would otherwise discard its earlier file for nothing.
        TrainedModel trained = pass.load();
        return start(plan, pass.begin().work(), trained);
    }

    private PassRun<R> start(JobPlan plan, PassResultCollector<R> work, TrainedModel trained) throws IOException {
        SharedPassState<R> services;
        try {
            services = new SharedPassState<>(
                    plan.replicaName(RoleType.MASTER, 0),
                    pass,
                    work,
                    trained,
                    new EventHub(plan.name(), pass.spec().listeners()),
                    RunClock.of(clock));
        } catch (IOException | RuntimeException e) {
            work.close();
            throw e;
        }
        InProcessSubstrate substrate = new InProcessSubstrate(services);
        ControlLoop loop = InProcessLauncher.start(plan, substrate, clock);
        return new PassRun<>(loop, services, substrate);
    }

    @Override
    public List<PassRun<R>> jobs() {
        return runs.all();
    }

    /** Stops every run and all threads; a job that has not ended is lost. */
    @Override
    public void close() {
        runs.end(PassRun::close);
    }

    /** Returns text for people, for example {@code evaluation of 360 records, minibatch 64}. */
    @Override
    public String toString() {
        return what;
    }
}
