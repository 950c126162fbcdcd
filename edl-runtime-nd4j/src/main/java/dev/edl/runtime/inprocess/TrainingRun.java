package dev.edl.runtime.inprocess;

import dev.edl.exec.JobHandle;
import dev.edl.exec.JobStatus;
import dev.edl.exec.Subscription;
import dev.edl.plan.JobPlan;
import dev.edl.runtime.EarlyStop;
import dev.edl.runtime.Progress;
import dev.edl.runtime.Resumption;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.engine.TrainingServices;
import dev.edl.runtime.internal.text.ExceptionText;
import dev.edl.runtime.internal.text.SignificantDigits;
import dev.edl.runtime.ps.ShardCut;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A running training job in this JVM: a {@link JobHandle} with the training's progress, events and result.
 * Thread-safe.
 */
public final class TrainingRun implements JobHandle {
    private static final Duration DRAIN = Duration.ofSeconds(10);

    private final JobHandle job;
    private final TrainingServices services;
    private final InProcessSubstrate substrate;
    private final Training training;
    private volatile boolean closed;

    TrainingRun(JobHandle job, TrainingServices services, InProcessSubstrate substrate) {
        this.job = job;
        this.services = services;
        this.substrate = substrate;
        this.training = services.training();
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

    /**
     * Writes a checkpoint now, while the training continues.
     *
     * @return the directory of the checkpoint
     * @throws IllegalStateException if the training has no checkpoint directory, or the job has ended
     * @throws dev.edl.runtime.ps.ShardTimeoutException if a parameter server does not come back within the training's
     *     {@link TrainingBuilder#absenceTimeout}
     * @throws IOException if the checkpoint cannot be written
     */
    public Path checkpoint() throws IOException, InterruptedException {
        if (training.checkpointDirectory().isEmpty()) {
            throw new IllegalStateException(
                    "the training has no checkpoint directory; add .checkpointDirectory(path) to it");
        }
        if (ended()) {
            throw new IllegalStateException("job \"" + plan().name() + "\" has ended: "
                    + job.status().phase() + "; its newest checkpoint is "
                    + services.store().newestCheckpoint().map(Path::toString).orElse("none"));
        }
        return services.checkpoint(services.cut(() -> {
            if (ended()) {
                throw new IllegalStateException("job \"" + plan().name() + "\" has ended: "
                        + job.status().phase() + " while a parameter server was absent");
            }
        }));
    }

    /**
     * Stops the training. If the training has a checkpoint directory, writes a checkpoint first, from which
     * {@link TrainingBuilder#resumeFrom} can continue; before the first step there is nothing to write.
     *
     * <p>Has no effect on a job that has ended. A job that ends by itself before the request takes effect has
     * succeeded.
     *
     * @throws UncheckedIOException if the checkpoint cannot be written; the job is cancelled all the same
     * @throws IllegalStateException if a parameter server is absent, so that no complete checkpoint can be written;
     *     the job is cancelled all the same
     */
    @Override
    public void cancel() {
        if (ended()) {
            return;
        }
        // Write the checkpoint despite an interrupt, which is restored for the caller.
        boolean interrupted = Thread.interrupted();
        try {
            if (training.checkpointDirectory().isPresent()) {
                int missing = services.missingShard();
                if (missing >= 0 && services.step() == 0) {
                    // Nothing is trained yet, so there is no state to save.
                    return;
                }
                Optional<ShardCut> cut = services.cutIfWhole();
                if (cut.isEmpty()) {
                    throw new IllegalStateException("the job is cancelled without a checkpoint: ps-"
                            + Math.max(missing, services.missingShard())
                            + " is absent; the newest checkpoint is "
                            + services.store()
                                    .newestCheckpoint()
                                    .map(Path::toString)
                                    .orElse("none"));
                }
                services.checkpoint(cut.get());
            }
            services.events().drain(DRAIN);
        } catch (IOException e) {
            throw new UncheckedIOException("the job is cancelled without a checkpoint: " + ExceptionText.of(e), e);
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            job.cancel();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
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
     * Waits until the training has succeeded and returns its result. {@link #await} instead returns the final status
     * of every job, also of a failed one. {@link #model()} has the parameters of a failed training.
     *
     * @param limit the longest wait, in real time
     * @throws dev.edl.exec.JobFailedException if the job failed or was cancelled; its message has the reason
     * @throws dev.edl.exec.JobTimeoutException if the job has not ended within the limit; it continues
     * @throws IllegalStateException if the run is closed before the job has ended
     * @throws InterruptedException if the waiting thread is interrupted
     */
    public TrainingResult awaitResult(Duration limit) throws InterruptedException {
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
     * Subscribes a listener to the training events: first to missed ones, then to each new one, in order. Events come
     * one at a time on a thread of the run.
     *
     * <p>A new listener first receives the last 1000 {@link TrainingEvent.Progressed} and the last 1000 other events; a
     * listener of {@link TrainingBuilder#onTraining} misses none. While a listener is behind, a newer
     * {@link TrainingEvent.Progressed} replaces the pending one. After {@link #close}, the missed events come on the
     * calling thread. A listener that throws is not called again, and a warning is logged.
     *
     * @return ends the notifications when closed
     */
    public Subscription onTraining(Consumer<TrainingEvent> listener) {
        return services.events().add(listener);
    }

    /** Returns the progress of the training; before the master runs, the progress with which the run begins. */
    public Progress progress() {
        return services.progress();
    }

    /** Returns the result of the training; empty until the job has succeeded. */
    public Optional<TrainingResult> result() {
        if (job.status().phase() != JobPhase.SUCCEEDED) {
            return Optional.empty();
        }
        return services.history().result();
    }

    /**
     * Returns the trained parameters of a training that succeeded, or that failed but left complete parameters.
     *
     * <p>A failed training has parameters in two cases:
     *
     * <ul>
     *   <li>It failed after all was trained: the last evaluation or the export failed, or a callback threw.
     *   <li>Its master gave up earlier, for a reason other than the model.
     * </ul>
     *
     * <p>Empty while the training runs, and if no complete parameters exist. With {@link EarlyStop#restoreBest}, the
     * parameters are of the best version so far.
     */
    public Optional<TrainedModel> model() {
        return services.trained();
    }

    /**
     * Returns the progress that this run resumed from, if it resumed from a checkpoint. The number of its records is
     * known only once the master runs.
     */
    public Optional<Resumption> resumed() {
        return services.history().resumed();
    }

    /** Stops the run and all its threads; a training that has not ended is lost, except for its checkpoints. */
    @Override
    public void close() {
        closed = true;
        try {
            job.close();
        } finally {
            services.close(substrate);
        }
    }

    /**
     * Returns one line: the job's phase and its progress or result, for example {@code job mnist RUNNING: task 31/360,
     * epoch 3/30, 48,120 samples/s, loss 0.412, ETA 12s}. {@link #status()} has a row for each replica.
     */
    @Override
    public String toString() {
        return RunLine.of(job.status(), progress(), result().map(result -> SignificantDigits.of(result.metrics())));
    }

    /** Returns whether the run may still use its job name and files, so that no other run may use them. */
    boolean live() {
        return !closed && !ended();
    }

    TrainingServices services() {
        return services;
    }

    private boolean ended() {
        return job.status().phase().ended();
    }
}
