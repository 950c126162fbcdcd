package dev.edl.runtime.inprocess;

import dev.edl.exec.JobHandle;
import dev.edl.runtime.EarlyStop;
import dev.edl.runtime.Progress;
import dev.edl.runtime.ResumedProgress;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.engine.SharedTrainingState;
import dev.edl.runtime.internal.text.ExceptionText;
import dev.edl.runtime.internal.text.SignificantDigits;
import dev.edl.runtime.ps.ShardCut;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A running training job in this JVM: a {@link JobHandle} with the training's progress, events and result.
 * {@link #model} has the parameters of a failed training. Thread-safe.
 */
public final class TrainingRun extends InProcessRun<TrainingResult> {
    private final JobHandle job;
    private final SharedTrainingState services;
    private final Training training;

    TrainingRun(JobHandle job, SharedTrainingState services, InProcessSubstrate substrate) {
        super(job, substrate, services.events());
        this.job = job;
        this.services = services;
        this.training = services.training();
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

    @Override
    public Progress progress() {
        return services.progress();
    }

    @Override
    Optional<TrainingResult> succeeded() {
        return services.history().result();
    }

    @Override
    void closeServices(InProcessSubstrate substrate) {
        services.close(substrate);
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
    public Optional<ResumedProgress> resumed() {
        return services.history().resumed();
    }

    /**
     * Returns one line: the job's phase and its progress or result, for example {@code job mnist RUNNING: task 31/360,
     * epoch 3/30, 48,120 samples/s, loss 0.412, ETA 12s}. {@link #status()} has a row for each replica.
     */
    @Override
    public String toString() {
        return RunStatusLine.of(
                job.status(), progress(), result().map(result -> SignificantDigits.of(result.metrics())));
    }

    SharedTrainingState services() {
        return services;
    }
}
