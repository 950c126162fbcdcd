package dev.edl.runtime.inprocess;

import dev.edl.exec.ForwardingJobHandle;
import dev.edl.exec.JobHandle;
import dev.edl.exec.JobStatus;
import dev.edl.exec.Subscription;
import dev.edl.runtime.Progress;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.engine.EventHub;
import dev.edl.status.JobPhase;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A running job in this JVM, with progress and result.
 *
 * @param <R> the result
 */
abstract class InProcessRun<R> extends ForwardingJobHandle {
    static final Duration DRAIN = Duration.ofSeconds(10);

    private final JobHandle job;
    private final InProcessSubstrate substrate;
    private final EventHub hub;
    private volatile boolean closed;

    InProcessRun(JobHandle job, InProcessSubstrate substrate, EventHub hub) {
        super(job);
        this.job = job;
        this.substrate = substrate;
        this.hub = hub;
    }

    /** Returns the result of a job that has succeeded. */
    abstract Optional<R> succeeded();

    /** Closes the substrate, and the services of the run in their order around it. */
    abstract void closeServices(InProcessSubstrate substrate);

    /**
     * Returns the progress; before the master runs, the progress with which the run begins. An evaluation or prediction
     * has no epochs and no loss.
     */
    public abstract Progress progress();

    /**
     * Kills a replica as signal 9 would: it fails with exit code 137, and its object stays visible.
     *
     * @param replica {@code worker-0}, {@code master}, or a full name
     * @throws IllegalArgumentException if no such replica runs
     */
    public void kill(String replica) {
        substrate.kill(plan().name(), replica);
    }

    /**
     * Waits for the end of the job and then, within the remaining limit, until every listener has received all events.
     *
     * @throws dev.edl.exec.AwaitTimeoutException if the job has not ended within the limit; it continues
     */
    @Override
    public JobStatus await(Duration limit) throws InterruptedException {
        long began = System.nanoTime();
        JobStatus end = job.await(limit);
        Duration left = limit.minusNanos(System.nanoTime() - began);
        hub.drain(left.compareTo(DRAIN) < 0 ? left : DRAIN);
        return end;
    }

    /**
     * Waits until the job has succeeded and returns its result. {@link #await} instead returns the final status of
     * every job, also of a failed one.
     *
     * @param limit the longest wait, in real time
     * @throws dev.edl.exec.JobFailedException if the job failed or was cancelled; its message has the reason
     * @throws dev.edl.exec.AwaitTimeoutException if the job has not ended within the limit; it continues
     * @throws IllegalStateException if the run is closed before the job has ended
     * @throws InterruptedException if the waiting thread is interrupted
     */
    public R awaitResult(Duration limit) throws InterruptedException {
        awaitSuccess(limit);
        return result().orElseThrow();
    }

    /** Returns the result; empty until the job has succeeded. */
    public Optional<R> result() {
        return status().phase() == JobPhase.SUCCEEDED ? succeeded() : Optional.empty();
    }

    /**
     * Subscribes a listener to the events of the runtime: first to missed ones, then to each new one, in order; for
     * example {@code run.onTraining(ConsoleReport.to(System.out))}. Events come one at a time on a thread of the run.
     *
     * <p>A new listener first receives the last 1000 {@link TrainingEvent.Progressed} and the last 1000 other events; a
     * listener of {@link TrainingBuilder#onTraining} misses none. While a listener is behind, a newer
     * {@link TrainingEvent.Progressed} replaces the pending one. After {@link #close}, the missed events come on the
     * calling thread. A listener that throws is not called again, and a warning is logged.
     *
     * @return ends the notifications when closed
     */
    public Subscription onTraining(Consumer<TrainingEvent> listener) {
        return hub.add(listener);
    }

    /** Stops the run and all its threads; a job that has not ended is lost, except for its checkpoints. */
    @Override
    public void close() {
        closed = true;
        try {
            job.close();
        } finally {
            closeServices(substrate);
        }
    }

    /** Returns whether the run may still use its job name and files, so that no other run may use them. */
    boolean live() {
        return !closed && !ended();
    }

    boolean ended() {
        return status().phase().ended();
    }
}
