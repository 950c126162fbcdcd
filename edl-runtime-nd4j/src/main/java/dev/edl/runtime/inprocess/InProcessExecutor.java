package dev.edl.runtime.inprocess;

import dev.edl.Job;
import dev.edl.exec.ControlLoop;
import dev.edl.exec.ExecutorRuns;
import dev.edl.exec.JobExecutor;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.runtime.Evaluation;
import dev.edl.runtime.EvaluationResult;
import dev.edl.runtime.ExportCallback;
import dev.edl.runtime.InvalidTrainingException;
import dev.edl.runtime.Prediction;
import dev.edl.runtime.PredictionResult;
import dev.edl.runtime.Training;
import dev.edl.runtime.engine.EventHub;
import dev.edl.runtime.engine.LocalReplicaRunner;
import dev.edl.runtime.engine.RunClock;
import dev.edl.runtime.engine.SharedTrainingState;
import dev.edl.runtime.engine.files.OutputFiles;
import dev.edl.runtime.engine.files.TensorBoardLog;
import dev.edl.runtime.engine.files.TrainingStore;
import dev.edl.runtime.engine.pass.Pass;
import dev.edl.runtime.history.RunRecorder;
import dev.edl.runtime.internal.check.ModelCheck;
import dev.edl.runtime.internal.check.ModelSizeCheck;
import dev.edl.runtime.internal.text.ExceptionText;
import dev.edl.runtime.model.ModelException;
import dev.edl.runtime.ps.group.LocalShards;
import dev.edl.spec.RoleType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs jobs in this JVM: each replica is a thread, and all share one {@link Training}.
 *
 * <p>The same job value that runs in a cluster trains here, with the same master, parameter servers, workers and
 * policies. Cluster-only settings (images, resources, priorities, volumes, ports) have no effect here.
 *
 * <pre>{@code
 * try (InProcessExecutor executor = InProcessExecutor.of(training);
 *      TrainingRun run = executor.submit(job)) {
 *   run.delete("worker-0");                        // worker-4 takes over
 *   run.scale("worker", 6);
 *   TrainingResult result = run.awaitResult(Duration.ofMinutes(5));   // or throws the reason
 * }
 * }</pre>
 *
 * <p>{@link #of(Evaluation)} and {@link #of(Prediction)} run jobs with a trained model.
 *
 * <p>Thread-safe.
 */
public final class InProcessExecutor implements JobExecutor {
    private final Training training;
    private final InstantSource clock;
    private final ExecutorRuns<TrainingRun> runs = new ExecutorRuns<>();
    /** Names of jobs whose submit has not returned; guarded by the lock of the runs. */
    private final Set<String> starting = new HashSet<>();

    private InProcessExecutor(Training training, InstantSource clock) {
        this.training = training;
        this.clock = clock;
    }

    /** Returns an executor whose jobs run a training. */
    public static InProcessExecutor of(Training training) {
        return new InProcessExecutor(training, InstantSource.system());
    }

    /** Returns an executor whose jobs evaluate a trained model. */
    public static PassExecutor<EvaluationResult> of(Evaluation evaluation) {
        return new PassExecutor<>(Pass.of(evaluation), evaluation.toString(), InstantSource.system());
    }

    /** Returns an executor whose jobs predict with a trained model. */
    public static PassExecutor<PredictionResult> of(Prediction prediction) {
        return new PassExecutor<>(Pass.of(prediction), prediction.toString(), InstantSource.system());
    }

    /**
     * Starts a job and returns at once.
     *
     * @throws IllegalArgumentException if a job of this name is running here, or the job cannot run in this JVM: it
     *     must be an elasticdl job with a master, at least one parameter server and workers
     * @throws IllegalStateException if the executor is closed
     * @throws InvalidTrainingException if the training does not match the checkpoint to resume from, its checkpoint
     *     directory belongs to another run, or a metric does not suit the model and the validation data
     * @throws ModelException if the model breaks its contract on the first record
     * @throws dev.edl.runtime.zoo.MissingBackendException if the model needs ND4J and there is no backend
     * @throws UncheckedIOException if the data or the checkpoint to resume from cannot be read, or an output of the
     *     training or its {@link ExportCallback} cannot be written
     */
    @Override
    public TrainingRun submit(Job job) {
        return submit(job.plan());
    }

    /**
     * Starts a planned job and returns at once; throws as {@link #submit(Job)} does. Holds no lock while it checks the
     * model, the files and the data, because that may take long.
     */
    @Override
    public TrainingRun submit(JobPlan plan) {
        InProcessLauncher.check(plan, true);
        runs.submit(() -> reserve(plan));
        OutputFiles outputs = OutputFiles.of(training);
        boolean started = false;
        try {
            outputs.check();
            ModelSizeCheck.check(training, plan);
            ModelCheck.of(training);
            TrainingRun run = add(plan, start(plan));
            started = true;
            return run;
        } catch (IOException e) {
            throw new UncheckedIOException("job \"" + plan.name() + "\": " + ExceptionText.of(e), e);
        } catch (OutOfMemoryError e) {
            throw ModelSizeCheck.tooLarge(training, plan, e);
        } finally {
            if (!started) {
                outputs.undo();
            }
            runs.submit(() -> starting.remove(plan.name()));
        }
    }

    private boolean reserve(JobPlan plan) {
        InProcessLauncher.checkOpen(runs, plan);
        if (starting.contains(plan.name())
                || runs.get(plan.name()).filter(TrainingRun::live).isPresent()) {
            throw new IllegalArgumentException("job \"" + plan.name() + "\" is running here already; cancel it, or"
                    + " give the new one another name");
        }
        Optional<String> other = Stream.concat(
                        starting.stream(),
                        runs.all().stream()
                                .filter(TrainingRun::live)
                                .map(run -> run.plan().name()))
                .findFirst();
        if (OutputFiles.shared(training) && other.isPresent()) {
            throw new IllegalArgumentException("job \"" + plan.name() + "\" would write to the same files as job \""
                    + other.get() + "\", which runs here; give it a training and an executor of its own");
        }
        return starting.add(plan.name());
    }

    private TrainingRun add(JobPlan plan, TrainingRun run) {
        try {
            return runs.submit(() -> {
                InProcessLauncher.checkOpen(runs, plan);
                runs.put(plan.name(), run);
                return run;
            });
        } catch (IllegalStateException closed) {
            run.close();
            throw closed;
        }
    }

    private TrainingRun start(JobPlan plan) throws IOException {
        int count = plan.role(RoleType.PS).map(RolePlan::replicas).orElseThrow();
        TrainingStore store = TrainingStore.open(training, count);
        LocalShards shards = new LocalShards(store.contents(), count, SharedTrainingState.SHARD_LOOK);
        TensorBoardLog tensorboard = null;
        if (training.tensorboard().isPresent()) {
            try {
                tensorboard = new TensorBoardLog(training.tensorboard().get(), clock);
            } catch (IOException e) {
                store.close();
                throw e;
            }
        }
        RunRecorder recorder = null;
        if (training.history().isPresent()) {
            try {
                recorder = RunRecorder.to(training.history().get(), store.began(training.historyDetail()));
            } catch (IOException e) {
                close(tensorboard, store);
                throw e;
            }
            shards.observe(recorder);
        }
        EventHub events = new EventHub(plan.name(), training.listeners());
        SharedTrainingState services;
        try {
            services = new SharedTrainingState(
                    plan.replicaName(RoleType.MASTER, 0),
                    training,
                    shards,
                    store,
                    events,
                    tensorboard,
                    recorder,
                    RunClock.of(clock));
        } catch (RuntimeException e) {
            // A callback that fails to begin must not keep the checkpoint directory locked.
            close(recorder, tensorboard, store);
            throw e;
        }
        services.runBy(plan);
        InProcessSubstrate substrate = new InProcessSubstrate(new LocalReplicaRunner(services, shards));
        ControlLoop loop = InProcessLauncher.start(plan, substrate, clock);
        return new TrainingRun(loop, services, substrate);
    }

    private static void close(@Nullable AutoCloseable... opened) throws IOException {
        for (AutoCloseable each : opened) {
            if (each == null) {
                continue;
            }
            try {
                each.close();
            } catch (IOException e) {
                throw e;
            } catch (Exception e) {
                throw new IOException(ExceptionText.of(e), e);
            }
        }
    }

    @Override
    public List<TrainingRun> jobs() {
        return runs.all();
    }

    /** Stops every run and all threads. A training that has not ended is lost, except for its checkpoints. */
    @Override
    public void close() {
        runs.end(TrainingRun::close);
    }
}
