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
 * A job that trains in this JVM: a {@link JobHandle}, and what the training itself tells. Thread-safe.
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
     * Kills a replica as signal 9 would: it fails with exit code 137 and its object stays to be seen.
     *
     * @param replica {@code worker-0}, {@code master}, or a full name
     * @throws IllegalArgumentException when no such replica runs
     */
    public void kill(String replica) {
        substrate.kill(plan().name(), replica);
    }

    /**
     * Writes a checkpoint now, while the training goes on.
     *
     * @return its directory
     * @throws IllegalStateException when the training has no checkpoint directory, or the job has ended
     * @throws dev.edl.runtime.ps.ShardTimeoutException when a parameter server does not come back within the
     *     training's {@link TrainingBuilder#absenceTimeout}
     * @throws IOException when it cannot be written
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
                        + job.status().phase() + " while a parameter server was away");
            }
        }));
    }

    /**
     * Stops the training. When checkpoints are kept, one is written first, so that {@link TrainingBuilder#resumeFrom}
     * can go on from here; before the first step there is nothing to write. No effect on a job that has ended; one that
     * ends by itself before the request is seen to has succeeded.
     *
     * @throws UncheckedIOException when the checkpoint cannot be written; the job is cancelled all the same
     * @throws IllegalStateException when a parameter server is not there, so that there is nothing whole to write; the
     *     job is cancelled all the same
     */
    @Override
    public void cancel() {
        if (ended()) {
            return;
        }
        // The caller's interruption is about the caller; the checkpoint is written first.
        boolean interrupted = Thread.interrupted();
        try {
            if (training.checkpointDirectory().isPresent()) {
                int missing = services.missingShard();
                if (missing >= 0 && services.step() == 0) {
                    // Nothing is trained yet, so there is nothing to keep.
                    return;
                }
                Optional<ShardCut> cut = services.cutIfWhole();
                if (cut.isEmpty()) {
                    throw new IllegalStateException("the job is cancelled without a checkpoint: ps-"
                            + Math.max(missing, services.missingShard())
                            + " is not there; the newest one is "
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
     * Waits for the end, and for what is left of the limit until every listener has heard of it.
     *
     * @throws dev.edl.exec.JobTimeoutException when it has not ended within the limit; it goes on
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
     * Waits until the training has succeeded and returns its result. {@link #await} instead returns the final status of every
     * job, also of a failed one, and {@link #model()} has what a failed one came to.
     *
     * @param limit the longest wait, in real time
     * @throws dev.edl.exec.JobFailedException when the job failed or was cancelled; its message has the reason
     * @throws dev.edl.exec.JobTimeoutException when it has not ended within the limit; it continues
     * @throws IllegalStateException when the run is closed before the job has ended
     * @throws InterruptedException when the waiting thread is interrupted
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
     * Subscribes a listener to the training events: first to those that it missed, then to each new one, in order, one at a
     * time and on a thread of the run. Replayed are the last 1000 events, and the last 1000 of
     * {@link TrainingEvent.Progressed} beside them; a listener of {@link TrainingBuilder#onTraining} misses none. While a listener
     * is behind, a newer {@link TrainingEvent.Progressed} takes the place of the one that waits. After
     * {@link #close} the replay runs on the calling thread. A listener that throws is not called again; a warning in the
     * log tells so.
     *
     * @return ends the notifications when closed
     */
    public Subscription onTraining(Consumer<TrainingEvent> listener) {
        return services.events().add(listener);
    }

    /** Where the training stands; before the master is up, at its beginning. */
    public Progress progress() {
        return services.progress();
    }

    /** Returns what the training has come to; empty until the job has succeeded. */
    public Optional<TrainingResult> result() {
        if (job.status().phase() != JobPhase.SUCCEEDED) {
            return Optional.empty();
        }
        return services.history().result();
    }

    /**
     * Returns the parameters that the training has come to: those of {@link #result()}, and also those of a training
     * that failed when all was trained (the last evaluation could not be made, the export could not be written, a
     * callback threw), or whose master gave up meanwhile for a reason that does not lie in the model. Empty before,
     * and when there is nothing whole to give. With {@link EarlyStop#restoreBest} it is the best version so far.
     */
    public Optional<TrainedModel> model() {
        return services.trained();
    }

    /** Returns what was done before this run, when it goes on from a checkpoint; complete once the master is up. */
    public Optional<Resumption> resumed() {
        return services.history().resumed();
    }

    /** Stops everything of the run and leaves no thread behind; a training that has not ended is lost. */
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
     * One line: the job's phase and its progress, or what it came to, for example {@code job mnist RUNNING: task 31/360, epoch
     * 3/30, 48,120 samples/s, loss 0.412, ETA 12s}. {@link #status()} has a row for each replica.
     */
    @Override
    public String toString() {
        return RunLine.of(job.status(), progress(), result().map(result -> SignificantDigits.of(result.metrics())));
    }

    /** Returns whether it may still use what it shares with other runs: its name, its files. */
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
