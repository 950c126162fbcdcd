package dev.edl.runtime;

import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.DatasetSource;
import dev.edl.runtime.model.Metric;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.LearningRateSchedule;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.optimizers.UpdateRule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Builder of a {@link Training}. Setters reject only null; {@link #build()} reports every mistake in one
 * {@link InvalidTrainingException}. Not safe for several threads.
 */
public final class TrainingBuilder {
    private @Nullable Model model;
    private @Nullable Dataset data;
    private @Nullable DatasetSource dataSource;
    private @Nullable DatasetSource validationSource;

    @Nullable
    Dataset validation;

    Optimizer optimizer = Optimizer.sgd(0.01f);

    @Nullable
    LearningRateSchedule learningRate;

    boolean stalenessModulation;
    Consistency consistency = Consistency.asynchronous();
    int minibatch = 64;
    int minibatchesPerTask = 8;
    int epochs = 1;
    boolean shuffle = true;
    long seed = 42;
    int evaluationSteps;
    List<Metric> metrics = List.of(Metric.accuracy(), Metric.crossEntropy());
    private boolean metricsNamed;
    int logLossSteps = 100;

    @Nullable
    Path checkpointDirectory;

    int checkpointSteps;
    boolean checkGradient = true;

    @Nullable
    String command;

    int keepCheckpoints = 3;
    boolean keepNamed;

    @Nullable
    Path resumeFrom;

    TrainedModel.@Nullable Source from;

    @Nullable
    Path export;

    @Nullable
    Path tensorboard;

    @Nullable
    Path history;

    HistoryDetail historyDetail = HistoryDetail.FINGERPRINTS;
    Duration taskTimeout = Duration.ofMinutes(5);
    Duration roundTimeout = Duration.ofSeconds(10);
    Duration absenceTimeout = Duration.ofMinutes(10);
    ConnectionSettings connections = ConnectionSettings.defaults();
    int maxTaskFailures = 4;
    long maxSteps;
    final List<TrainingCallback> callbacks = new ArrayList<>();
    final List<Consumer<TrainingEvent>> listeners = new ArrayList<>();

    TrainingBuilder() {}

    /** Sets the model to train. Required. */
    public TrainingBuilder model(Model newModel) {
        this.model = Objects.requireNonNull(newModel, "model");
        return this;
    }

    /** Sets the training data. Required. */
    public TrainingBuilder data(Dataset newData) {
        this.data = Objects.requireNonNull(newData, "data");
        this.dataSource = null;
        return this;
    }

    /**
     * Sets training data that the master and the workers open at their first read; parameter servers and a process that
     * only submits do not. Data that does not match the model is reported when it is opened.
     */
    public TrainingBuilder data(DatasetSource source) {
        this.dataSource = Objects.requireNonNull(source, "data");
        return this;
    }

    /**
     * Sets the validation data; without it there is no evaluation. A record that cannot be evaluated fails the training
     * at the first evaluation; the message names the record. The trained parameters are then written as a checkpoint if
     * {@link #checkpointDirectory} is set, and to {@link #export} if all records were trained.
     * {@code TrainingRun.model()} returns them in any case. A training with other validation data can
     * {@linkplain #resumeFrom resume} from the checkpoint.
     */
    public TrainingBuilder validation(Dataset newValidation) {
        this.validation = Objects.requireNonNull(newValidation, "validation");
        this.validationSource = null;
        return this;
    }

    /** Sets validation data that is opened as in {@link #data(DatasetSource)}. */
    public TrainingBuilder validation(DatasetSource source) {
        this.validationSource = Objects.requireNonNull(source, "validation");
        return this;
    }

    /** Sets the optimizer, which applies gradients to parameters. Default: SGD with a learning rate of 0.01. */
    public TrainingBuilder optimizer(Optimizer newOptimizer) {
        this.optimizer = Objects.requireNonNull(newOptimizer, "optimizer");
        return this;
    }

    /** Sets the learning rate by update count, above 0 at step 0. Default: the optimizer's own constant rate. */
    public TrainingBuilder learningRate(LearningRateSchedule schedule) {
        this.learningRate = Objects.requireNonNull(schedule, "learningRate");
        return this;
    }

    /**
     * Sets whether the learning rate is divided by the staleness of the gradient, ElasticDL's rule. Default: false.
     * Staleness is the number of updates between the worker's pull and its push; the division applies when it is above
     * 1. {@link #build()} rejects it for synchronous training, where no gradient is stale.
     */
    public TrainingBuilder stalenessModulation(boolean modulate) {
        this.stalenessModulation = modulate;
        return this;
    }

    /** Sets the consistency mode, which bounds the staleness of gradients. Default: asynchronous, as in ElasticDL. */
    public TrainingBuilder consistency(Consistency newConsistency) {
        this.consistency = Objects.requireNonNull(newConsistency, "consistency");
        return this;
    }

    /** Sets the number of records in one minibatch, at least 1. Default: 64, as in ElasticDL. */
    public TrainingBuilder minibatch(int records) {
        this.minibatch = records;
        return this;
    }

    /** Sets the number of minibatches in one task, at least 1. Default: 8, as in ElasticDL. */
    public TrainingBuilder minibatchesPerTask(int minibatches) {
        this.minibatchesPerTask = minibatches;
        return this;
    }

    /** Sets the number of epochs, at least 1. Default: 1. */
    public TrainingBuilder epochs(int newEpochs) {
        this.epochs = newEpochs;
        return this;
    }

    /**
     * Sets the maximum number of minibatches over all epochs, ElasticDL's {@code max_step}. Default: 0, for no maximum.
     * The last task is shortened, so exactly that many minibatches are trained even if replicas die. Which minibatches
     * are trained depends on the seed alone.
     */
    public TrainingBuilder maxSteps(long minibatches) {
        this.maxSteps = minibatches;
        return this;
    }

    /**
     * Sets whether {@link ModelContract} compares the gradient with differences of the loss before a job starts, for at
     * most 1s. Default: true. Turn it off for a gradient that deliberately differs from that of the loss, such as a
     * clipped one.
     */
    public TrainingBuilder checkGradient(boolean compared) {
        this.checkGradient = compared;
        return this;
    }

    /** Sets the command that runs the training, for {@link TrainingResult#reproduce}. Default: none. */
    public TrainingBuilder command(String line) {
        this.command = Objects.requireNonNull(line, "command");
        return this;
    }

    /** Adds a callback, such as {@link EarlyStop} or {@link ExportCallback}. */
    public TrainingBuilder callback(TrainingCallback callback) {
        this.callbacks.add(Objects.requireNonNull(callback, "callback"));
        return this;
    }

    /**
     * Adds a listener for the events of every run; a slow listener skips outdated progress events only.
     * {@code TrainingRun.onTraining} adds a listener to a single run, also after its start.
     */
    public TrainingBuilder onTraining(Consumer<TrainingEvent> listener) {
        this.listeners.add(Objects.requireNonNull(listener, "onTraining"));
        return this;
    }

    /** Sets whether each epoch shuffles the tasks, and the records within a task. Default: true. */
    public TrainingBuilder shuffle(boolean newShuffle) {
        this.shuffle = newShuffle;
        return this;
    }

    /** Sets the seed of initial values and shuffles. Default: 42. */
    public TrainingBuilder seed(long newSeed) {
        this.seed = newSeed;
        return this;
    }

    /**
     * Sets the evaluation interval in model versions. Requires {@link #validation}. Default: 0, to evaluate only at the
     * end. The master evaluates each multiple of the interval, unless four evaluations are running, or eight are
     * running or await callbacks. It also skips a version whose copy a shard has replaced by a later one. It repeats
     * the evaluation of a version after a loss of updates only if that evaluation was lost, or for the last version.
     */
    public TrainingBuilder evaluationSteps(int steps) {
        this.evaluationSteps = steps;
        return this;
    }

    /** Sets the metrics that an evaluation computes. Requires {@link #validation}. Default: {@link Model#metrics}. */
    public TrainingBuilder metrics(Metric... newMetrics) {
        this.metrics = List.of(newMetrics);
        this.metricsNamed = true;
        return this;
    }

    /** Sets the interval in versions at which each worker reports its loss. Default: 100, as in ElasticDL; 0: never. */
    public TrainingBuilder logLossSteps(int steps) {
        this.logLossSteps = steps;
        return this;
    }

    /**
     * Sets the directory of checkpoints. Default: none on disk. The executor rejects a directory with checkpoints of an
     * earlier run unless {@link #resumeFrom} names one of them.
     */
    public TrainingBuilder checkpointDirectory(Path directory) {
        this.checkpointDirectory = Objects.requireNonNull(directory, "checkpointDirectory");
        return this;
    }

    /**
     * Sets the checkpoint interval in versions. Requires {@link #checkpointDirectory}. Default: 0, to write only the
     * final checkpoint.
     */
    public TrainingBuilder checkpointSteps(int steps) {
        this.checkpointSteps = steps;
        return this;
    }

    /**
     * Sets the number of newest checkpoints to keep; 0 keeps all. Requires {@link #checkpointDirectory}. Default: 3.
     */
    public TrainingBuilder keepCheckpoints(int count) {
        this.keepCheckpoints = count;
        this.keepNamed = true;
        return this;
    }

    /**
     * Resumes from a checkpoint of the same training: same data, minibatch, seed, model and optimizer. This also works
     * after the whole job was killed. Updates in the checkpoint are not applied again; updates after it are lost and
     * trained again, so over all runs each record is applied exactly once per epoch. {@code epochs} and
     * {@code maxSteps} may be larger than before.
     *
     * <p>The checkpoint alone sets the progress. {@link Progress} and {@link TrainingResult} count the records of all
     * runs. Rates and {@link TrainingResult#took()} are of this run;
     * {@link TrainingResult#resumed()} describes the earlier ones. The ledger proof covers all runs and states the part
     * in the checkpoint; its incidents (tasks recovered, late reports) are of this run. An evaluation that was running
     * at the checkpoint is not repeated; the next one is at the next multiple of {@code evaluationSteps}. A training
     * that was stopped early continues when it is resumed. Callbacks have their state of the checkpoint.
     *
     * <p>Resuming from an older checkpoint of {@link #checkpointDirectory} abandons the newer ones. At submission they
     * move to the subdirectory {@code abandoned}, and the log has a warning. They can still be loaded, resumed from or
     * deleted; {@link #keepCheckpoints} does not count them.
     *
     * <p>The executor rejects a checkpoint that does not exist when the run begins. Later masters of the run need it
     * until the run has written a checkpoint of its own.
     *
     * @param checkpoint a {@code version-N} directory, or its parent directory for the newest valid one
     */
    public TrainingBuilder resumeFrom(Path checkpoint) {
        this.resumeFrom = Objects.requireNonNull(checkpoint, "resumeFrom");
        return this;
    }

    /**
     * Begins with the parameters of a trained model, at version 0 and without its optimizer's state, for example to
     * train it further on other data. Default: the values of the model's initializer. The model must have the same
     * parameters and tables; an embedding table begins with the trained rows.
     */
    public TrainingBuilder from(TrainedModel trained) {
        this.from = TrainedModel.Source.of(Objects.requireNonNull(trained, "from"));
        return this;
    }

    /** Begins with the parameters at a path for {@link TrainedModel#load}. It must not change, as restarts read it. */
    public TrainingBuilder from(Path trained) {
        this.from = TrainedModel.Source.of(Objects.requireNonNull(trained, "from"));
        return this;
    }

    /** Sets the {@code .npz}, {@code .safetensors} or {@code .onnx} file of the trained model; an old one is replaced. */
    public TrainingBuilder export(Path file) {
        this.export = Objects.requireNonNull(file, "export");
        return this;
    }

    /** Sets the directory of the TensorBoard event file. */
    public TrainingBuilder tensorboard(Path directory) {
        this.tensorboard = Objects.requireNonNull(directory, "tensorboard");
        return this;
    }

    /**
     * Records the run for {@code HistoryChecker} of edl-testkit, which proves that the staleness bound held and that
     * no push was lost or applied twice. The file is complete once the run is closed.
     *
     * @param file an existing file is replaced
     */
    public TrainingBuilder history(Path file) {
        return history(file, HistoryDetail.FINGERPRINTS);
    }

    /**
     * Records the run at a level of detail.
     *
     * @param file an existing file is replaced
     * @param detail whether gradients are also recorded, so that the updates can be replayed
     */
    public TrainingBuilder history(Path file, HistoryDetail detail) {
        this.history = Objects.requireNonNull(file, "history");
        this.historyDetail = Objects.requireNonNull(detail, "detail");
        return this;
    }

    /**
     * Sets the longest time a worker may hold a task without progress before the master reassigns it, at most 365 days.
     * Default: 5m. A worker waits at most three times as long for the other workers of a synchronous round.
     */
    public TrainingBuilder taskTimeout(Duration timeout) {
        this.taskTimeout = Objects.requireNonNull(timeout, "taskTimeout");
        return this;
    }

    /**
     * Sets how long a synchronous round waits for a worker without activity, at most 365 days. Default: 10s. A worker
     * that computes a minibatch may take three times as long as for the previous one. Then the rounds continue without
     * it; it keeps its task and takes part again with its next minibatch.
     */
    public TrainingBuilder roundTimeout(Duration timeout) {
        this.roundTimeout = Objects.requireNonNull(timeout, "roundTimeout");
        return this;
    }

    /**
     * Sets the longest time a replica waits for an absent parameter server or master, at most 365 days. Default: 10m. A
     * process also waits this long for the lock of {@code checkpointDirectory}, and for its port. Then it exits with
     * code 75, which is retryable. The wait is not a task failure. If a server or worker is absent for a quarter of this
     * time, at least 1m, the executor of processes kills and replaces it.
     */
    public TrainingBuilder absenceTimeout(Duration timeout) {
        this.absenceTimeout = Objects.requireNonNull(timeout, "absenceTimeout");
        return this;
    }

    /** Sets the bounds of the connections between processes. Default: {@link ConnectionSettings#defaults}. */
    public TrainingBuilder connections(ConnectionSettings settings) {
        this.connections = Objects.requireNonNull(settings, "connections");
        return this;
    }

    /** Sets the number of errors of one task at which the training fails, at least 1. Default: 4. */
    public TrainingBuilder maxTaskFailures(int failures) {
        this.maxTaskFailures = failures;
        return this;
    }

    /**
     * Builds the training.
     *
     * @throws InvalidTrainingException with every mistake; those of callbacks only if a model and data are set
     */
    public Training build() {
        List<String> problems = new ArrayList<>();
        Model m = model;
        if (m != null && !metricsNamed) {
            metrics = m.metrics();
        }
        openLater(m);
        Dataset d = data;
        if (m == null) {
            problems.add("model is missing; for example .model(Mlp.of(64, 32, 10))");
        }
        if (d == null) {
            problems.add("data is missing; for example .data(RecordIoDataset.open(folder, decoder))");
        } else if (m != null) {
            ModelDataCheck.checkRecords("data", d, m, problems);
        }
        if (m != null) {
            ModelDataCheck.checkTables(m, problems);
        }
        if (stalenessModulation && consistency.isSynchronous()) {
            problems.add("stalenessModulation does nothing in synchronous training, where no gradient is stale; leave"
                    + " it out, or give a bound, for example .consistency(Consistency.staleness(3))");
        }
        Dataset v = validation;
        if (m != null && v != null) {
            ModelDataCheck.checkValidation(v, d, m, problems);
        }
        TrainingBounds.check(this, problems);
        if (evaluationSteps > 0 && v == null) {
            problems.add("evaluationSteps is " + evaluationSteps + " but there is no validation data; add"
                    + " .validation(dataset)");
        }
        if (v == null && metricsNamed) {
            problems.add("metrics are set but there is no validation data to compute them on; add"
                    + " .validation(dataset)");
        }
        if (v != null && metrics.isEmpty()) {
            problems.add("metrics is empty although there is validation data; for example .metrics(Metric.accuracy())");
        }
        if (metrics.stream().map(Metric::name).distinct().count() < metrics.size()) {
            problems.add("metrics must have different names, was "
                    + metrics.stream().map(Metric::name).toList());
        }
        TrainingBounds.checkFiles(this, problems);
        checkLearningRate(problems);
        if (m == null || d == null) {
            throw new InvalidTrainingException(problems);
        }
        Training training = new Training(this, m, d);
        problems.addAll(EngineProvider.installed().problems(training));
        List<TrainingCallback> restoring = callbacks.stream()
                .filter(callback -> callback instanceof EarlyStop stop && stop.restoresBest())
                .toList();
        if (restoring.size() > 1) {
            problems.add("restoreBest must be set on at most one callback, was set on " + restoring
                    + "; keep it on one, and use ExportCallback.best(...) for the others");
        }
        if (!problems.isEmpty()) {
            throw new InvalidTrainingException(problems);
        }
        return training;
    }

    /** Replaces dataset sources by lazy datasets, which are checked when they are opened. */
    private void openLater(@Nullable Model m) {
        if (dataSource != null && m != null) {
            data = ModelDataCheck.checkedLater("data", dataSource, m);
        }
        if (validationSource != null && m != null) {
            validation = ModelDataCheck.checkedLater("validation", validationSource, m);
        }
    }

    private void checkLearningRate(List<String> problems) {
        LearningRateSchedule schedule = learningRate;
        if (schedule == null) {
            return;
        }
        try {
            if (schedule.rate(0) == 0) {
                problems.add(
                        "learningRate is 0 at step 0 of " + schedule + ", so that the first update would do nothing;"
                                + " a rate that rises from 0 is, for example, step -> 0.1 * (step + 1) / 500");
            }
        } catch (IllegalStateException e) {
            problems.add("learningRate: " + e.getMessage());
        }
    }

    UpdateRule updateRule() {
        UpdateRule rule = UpdateRule.of(optimizer, consistency);
        if (learningRate != null) {
            rule = rule.withLearningRate(learningRate);
        }
        return stalenessModulation && !consistency.isSynchronous() ? rule.withStalenessModulation() : rule;
    }
}
