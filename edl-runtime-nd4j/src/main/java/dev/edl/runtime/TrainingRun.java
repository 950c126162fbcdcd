package dev.edl.runtime;

import dev.edl.exec.JobHandle;
import dev.edl.exec.JobStatus;
import dev.edl.exec.Subscription;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.JobEvent;
import dev.edl.reconcile.JobPhase;
import dev.edl.runtime.ps.ShardCut;
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
    private final JobHandle job;
    private final TrainingServices services;
    private final InProcessSubstrate substrate;
    private final Training training;

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
        String full = job.status().replicas().stream()
                .map(r -> r.name())
                .filter(n -> n.equals(replica) || n.endsWith("-" + plan().name() + "-" + replica))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("job \"" + plan().name() + "\" has no replica \""
                        + replica + "\"; it has "
                        + job.status().replicas().stream().map(r -> r.name()).toList()));
        substrate.kill(full);
    }

    /**
     * Writes a checkpoint now, while the training goes on.
     *
     * @return its directory
     * @throws IllegalStateException when the training has no checkpoint directory
     * @throws IOException when it cannot be written
     */
    public Path checkpoint() throws IOException, InterruptedException {
        if (training.checkpointDirectory().isEmpty()) {
            throw new IllegalStateException(
                    "the training has no checkpoint directory; add .checkpointDirectory(path) to it");
        }
        return services.store().checkpoint(services.shards().cut());
    }

    /**
     * Stops the training. When checkpoints are kept, one is written first, so that {@link TrainingBuilder#resumeFrom}
     * can go on from here. No effect on a job that has ended.
     */
    @Override
    public void cancel() {
        if (ended()) {
            return;
        }
        try {
            if (training.checkpointDirectory().isPresent()) {
                ShardCut cut = services.shards().cut();
                Path directory = services.store().checkpoint(cut);
                services.events().emit(new TrainingEvent.CheckpointWritten(cut.version(), directory));
            }
            services.events().drain();
        } catch (IOException e) {
            throw new UncheckedIOException("the job is cancelled without a checkpoint: " + Reason.of(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            job.cancel();
        }
    }

    /**
     * Waits for the end, and until every listener has heard of it.
     *
     * @throws dev.edl.exec.JobTimeoutException when it has not ended within the limit; it goes on
     */
    @Override
    public JobStatus await(Duration limit) throws InterruptedException {
        JobStatus end = job.await(limit);
        services.events().drain();
        return end;
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
     * Asks to be told every training event from now on, one at a time and in order, on a thread of the run.
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

    /** What the training has come to; empty until the job has succeeded. */
    public Optional<TrainingResult> result() {
        if (job.status().phase() != JobPhase.SUCCEEDED) {
            return Optional.empty();
        }
        return services.history().result();
    }

    /** Stops everything of the run and leaves no thread behind; a training that has not ended is lost. */
    @Override
    public void close() {
        try {
            job.close();
        } finally {
            services.close(substrate);
        }
    }

    /** The job's status. */
    @Override
    public String toString() {
        return job.status().toString();
    }

    private boolean ended() {
        return job.status().phase().ended();
    }
}
