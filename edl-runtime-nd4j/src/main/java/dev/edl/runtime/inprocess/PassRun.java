package dev.edl.runtime.inprocess;

import dev.edl.exec.JobHandle;
import dev.edl.exec.JobStatus;
import dev.edl.exec.Subscription;
import dev.edl.plan.JobPlan;
import dev.edl.runtime.Progress;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.engine.PassServices;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A running evaluation or prediction in this JVM: a {@link JobHandle} with progress and result. Thread-safe.
 *
 * @param <R> the result
 */
public final class PassRun<R> implements JobHandle {
    private static final Duration DRAIN = Duration.ofSeconds(10);

    private final JobHandle job;
    private final PassServices<R> services;
    private final InProcessSubstrate substrate;
    private volatile boolean closed;

    PassRun(JobHandle job, PassServices<R> services, InProcessSubstrate substrate) {
        this.job = job;
        this.services = services;
        this.substrate = substrate;
    }

    @Override
    public JobPlan plan() {
        return job.plan();
    }

    @Override
    public JobStatus status() {
        return job.status();
    }

    @Override
    public void scale(String role, int replicas) {
        job.scale(role, replicas);
    }

    @Override
    public void delete(String replica) {
        job.delete(replica);
    }

    /**
     * Kills a replica as signal 9 would: it fails with exit code 137, and its object stays visible.
     *
     * @param replica {@code worker-0}, {@code master}, or a full name
     * @throws IllegalArgumentException if no such replica runs
     */
    public void kill(String replica) {
        substrate.kill(plan().name(), replica);
    }

    /** Stops the job and discards its output so far. Has no effect on a job that has ended. */
    @Override
    public void cancel() {
        job.cancel();
    }

    /**
     * Waits for the end of the job and then, within the remaining limit, until every listener has received all events.
     *
     * @throws dev.edl.exec.JobTimeoutException if the job has not ended within the limit; it continues
     */
    @Override
    public JobStatus await(Duration limit) throws InterruptedException {
        long began = System.nanoTime();
        JobStatus end = job.await(limit);
        Duration left = limit.minusNanos(System.nanoTime() - began);
        services.events().drain(left.compareTo(DRAIN) < 0 ? left : DRAIN);
        return end;
    }

    /**
     * Waits until the job has succeeded and returns its result. {@link #await} instead returns the final status of
     * every job, also of a failed one.
     *
     * @param limit the longest wait, in real time
     * @throws dev.edl.exec.JobFailedException if the job failed or was cancelled; its message has the reason
     * @throws dev.edl.exec.JobTimeoutException if the job has not ended within the limit; it continues
     * @throws IllegalStateException if the run is closed before the job has ended
     * @throws InterruptedException if the waiting thread is interrupted
     */
    public R awaitResult(Duration limit) throws InterruptedException {
        awaitSuccess(limit);
        return result().orElseThrow();
    }

    @Override
    public Subscription onEvent(Consumer<JobEvent> listener) {
        return job.onEvent(listener);
    }

    @Override
    public List<JobEvent> events() {
        return job.events();
    }

    /**
     * Subscribes a listener to the events of the runtime, including missed ones, as {@link TrainingRun#onTraining}
     * does; for example {@code run.onTraining(ConsoleReport.to(System.out))}.
     *
     * @return ends the notifications when closed
     */
    public Subscription onTraining(Consumer<TrainingEvent> listener) {
        return services.events().add(listener);
    }

    /** Returns the progress in tasks and records; it has no epochs and no loss. */
    public Progress progress() {
        return services.progress();
    }

    /** Returns the result; empty until the job has succeeded. */
    public Optional<R> result() {
        return job.status().phase() == JobPhase.SUCCEEDED ? services.result() : Optional.empty();
    }

    /** Stops the run and all its threads; a job that has not ended is lost. */
    @Override
    public void close() {
        closed = true;
        try {
            job.close();
        } finally {
            services.close(substrate);
        }
    }

    /** Returns one line: the job's phase and its progress or result. {@link #status()} has a row for each replica. */
    @Override
    public String toString() {
        return RunLine.of(job.status(), progress(), result().map(Object::toString));
    }

    boolean live() {
        return !closed && !job.status().phase().ended();
    }
}
