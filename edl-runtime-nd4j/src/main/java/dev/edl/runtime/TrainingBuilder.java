package dev.edl.runtime;

import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.DatasetSource;
import dev.edl.runtime.engine.Callbacks;
import dev.edl.runtime.engine.decisions.MetricTotals;
import dev.edl.runtime.engine.files.ModelDataCheck;
import dev.edl.runtime.engine.files.OutputFiles;
import dev.edl.runtime.history.HistoryDetail;
import dev.edl.runtime.inprocess.TrainingRun;
import dev.edl.runtime.metrics.Metric;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.LearningRateSchedule;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.optimizers.UpdateRule;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Composes a {@link Training}. Setters refuse nothing but null; {@link #build()} reports every mistake in one
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
    private boolean keepNamed;

    @Nullable
    Path resumeFrom;

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
    int maxTaskFailures = 4;
    long maxSteps;
    final List<TrainingCallback> callbacks = new ArrayList<>();
    final List<Consumer<TrainingEvent>> listeners = new ArrayList<>();

    TrainingBuilder() {}

    /** What is trained. Required. */
    public TrainingBuilder model(Model newModel) {
        this.model = Objects.requireNonNull(newModel, "model");
        return this;
    }

    /** What it is trained on. Required. */
    public TrainingBuilder data(Dataset newData) {
        this.data = Objects.requireNonNull(newData, "data");
        this.dataSource = null;
        return this;
    }

    /**
     * What it is trained on, opened when it is first read: by the master and the workers, and not by a process that keeps
     * parameters or only submits. What does not fit the model is found then.
     */
    public TrainingBuilder data(DatasetSource source) {
        this.dataSource = Objects.requireNonNull(source, "data");
        return this;
    }

    /**
     * What it is evaluated on. Without it there is no evaluation. A record that cannot be evaluated fails the training,
     * at the first evaluation, with a message that names it. What was trained is not lost: it is written as a checkpoint
     * where there is a {@link #checkpointDirectory}, also to {@link #export} when all was trained, and
     * {@link TrainingRun#model()} has it in any case. Such a checkpoint can be {@linkplain #resumeFrom gone on from} with
     * other validation data.
     */
    public TrainingBuilder validation(Dataset newValidation) {
        this.validation = Objects.requireNonNull(newValidation, "validation");
        this.validationSource = null;
        return this;
    }

    /** What it is evaluated on, opened as {@link #data(DatasetSource)} is. */
    public TrainingBuilder validation(DatasetSource source) {
        this.validationSource = Objects.requireNonNull(source, "validation");
        return this;
    }

    /** How gradients are applied; SGD with a learning rate of 0.01 unless given. */
    public TrainingBuilder optimizer(Optimizer newOptimizer) {
        this.optimizer = Objects.requireNonNull(newOptimizer, "optimizer");
        return this;
    }

    /**
     * A learning rate that follows the number of updates; the optimizer's own, which does not change, unless given. It
     * must be above 0 at step 0.
     */
    public TrainingBuilder learningRate(LearningRateSchedule schedule) {
        this.learningRate = Objects.requireNonNull(schedule, "learningRate");
        return this;
    }

    /**
     * Whether the learning rate is divided by the staleness of the gradient, the number of updates between the worker's
     * pull and its push, when that is above 1; ElasticDL's rule. False unless given. Refused when training is
     * synchronous, where no gradient is stale.
     */
    public TrainingBuilder stalenessModulation(boolean modulate) {
        this.stalenessModulation = modulate;
        return this;
    }

    /** How stale a gradient may be; asynchronous unless given, as ElasticDL's parameter server is. */
    public TrainingBuilder consistency(Consistency newConsistency) {
        this.consistency = Objects.requireNonNull(newConsistency, "consistency");
        return this;
    }

    /** Records of one gradient, at least 1; 64 unless given, ElasticDL's default. */
    public TrainingBuilder minibatch(int records) {
        this.minibatch = records;
        return this;
    }

    /** Minibatches of one task, at least 1; 8 unless given, ElasticDL's default. */
    public TrainingBuilder minibatchesPerTask(int minibatches) {
        this.minibatchesPerTask = minibatches;
        return this;
    }

    /** How often each record is trained, at least 1; 1 unless given. */
    public TrainingBuilder epochs(int newEpochs) {
        this.epochs = newEpochs;
        return this;
    }

    /**
     * Minibatches that are trained in all epochs together, at most: ElasticDL's {@code max_step}. The last task is cut
     * short, so that exactly that many are trained, whatever is killed; which ones depends on the seed alone. 0, the
     * default, is for those of all epochs.
     */
    public TrainingBuilder maxSteps(long minibatches) {
        this.maxSteps = minibatches;
        return this;
    }

    /**
     * Whether {@link ModelContract} compares the gradient with differences of the loss before a job starts, for at most one
     * second; true unless given. A model whose gradient is not its loss's on purpose, as a clipped one, turns it off.
     */
    public TrainingBuilder checkGradient(boolean compared) {
        this.checkGradient = compared;
        return this;
    }

    /** The command that runs the training, for {@link TrainingResult#reproduce}; none unless given. */
    public TrainingBuilder command(String line) {
        this.command = Objects.requireNonNull(line, "command");
        return this;
    }

    /** Adds code that the training calls as it goes, such as {@link EarlyStop} or {@link Export}. */
    public TrainingBuilder callback(TrainingCallback callback) {
        this.callbacks.add(Objects.requireNonNull(callback, "callback"));
        return this;
    }

    /**
     * Adds a listener that hears every event of each run, but for progress that a newer one has overtaken while the listener
     * was behind. {@link TrainingRun#onTraining} adds one to a single run, also late.
     */
    public TrainingBuilder onTraining(Consumer<TrainingEvent> listener) {
        this.listeners.add(Objects.requireNonNull(listener, "onTraining"));
        return this;
    }

    /** Whether tasks, and the records within a task, are shuffled anew in each epoch; true unless given. */
    public TrainingBuilder shuffle(boolean newShuffle) {
        this.shuffle = newShuffle;
        return this;
    }

    /** Seed of initial values and shuffles; 42 unless given. */
    public TrainingBuilder seed(long newSeed) {
        this.seed = newSeed;
        return this;
    }

    /**
     * An evaluation of exactly that version each time the model version is a multiple of this; 0, the default, for
     * none but the one at the end. Needs {@link #validation}. Where versions follow each other faster than the shards can
     * announce them, some are passed over; so are those that are reached while four evaluations are under way, and those that are made a second time, after a parameter server came back
     * older, but for the last one.
     */
    public TrainingBuilder evaluationSteps(int steps) {
        this.evaluationSteps = steps;
        return this;
    }

    /** What an evaluation computes; {@link Model#metrics} unless given. Needs {@link #validation}. */
    public TrainingBuilder metrics(Metric... newMetrics) {
        this.metrics = List.of(newMetrics);
        this.metricsNamed = true;
        return this;
    }

    /**
     * Each worker reports its loss once each time the model version passes a multiple of this; 100 unless given, ElasticDL's default;
     * 0 for never.
     */
    public TrainingBuilder logLossSteps(int steps) {
        this.logLossSteps = steps;
        return this;
    }

    /**
     * Where checkpoints and the task journal are kept; without it there are none on disk. A directory that holds
     * checkpoints of an earlier run is refused unless {@link #resumeFrom} goes on from one.
     */
    public TrainingBuilder checkpointDirectory(Path directory) {
        this.checkpointDirectory = Objects.requireNonNull(directory, "checkpointDirectory");
        return this;
    }

    /**
     * A checkpoint each time the model version has moved on by this; 0, the default, for none but the one at the end.
     * Needs {@link #checkpointDirectory}.
     */
    public TrainingBuilder checkpointSteps(int steps) {
        this.checkpointSteps = steps;
        return this;
    }

    /** How many checkpoints are kept; 3 unless given; 0 for all. Needs {@link #checkpointDirectory}. */
    public TrainingBuilder keepCheckpoints(int count) {
        this.keepCheckpoints = count;
        this.keepNamed = true;
        return this;
    }

    /**
     * Goes on from a checkpoint of the same training (same data, minibatch, seed, model, optimizer), also after the whole
     * job was killed: what the checkpoint has applied is not applied again, what was trained behind it is lost and
     * trained again, so over all runs each record is applied exactly once per epoch. {@code epochs} and {@code maxSteps}
     * may be larger than before.
     *
     * <p>The checkpoint alone says what was done; the task journal is of one run, and a new one is begun. What a user
     * sees is of the whole training: {@link Progress} and {@link TrainingResult} count the records of all runs, their
     * rates and {@link TrainingResult#took()} are of this run, and {@link TrainingResult#resumed()} has what was done
     * before and how long that took. The proof is of the whole training, too, and says how much of it was in the
     * checkpoint; its incidents (tasks recovered, late reports) are of this run. An evaluation that was under way when the
     * checkpoint was written is not repeated; the next one is at the next multiple of {@code evaluationSteps}. A training
     * that was stopped early goes on when it is resumed; callbacks have what they remembered at the checkpoint.
     *
     * <p>To go on from a checkpoint that is not the newest one of {@link #checkpointDirectory} is to leave what was trained
     * behind it: when the job is submitted, the newer checkpoints move to {@code abandoned} in that directory, and a
     * warning in the log says so. From then on the newest checkpoint is one of this training. The others stay there, to be
     * loaded, gone on from, or deleted; they do not count for {@link #keepCheckpoints}.
     *
     * @param checkpoint a {@code version-N} directory, or the directory that holds them: then the newest valid one
     */
    public TrainingBuilder resumeFrom(Path checkpoint) {
        this.resumeFrom = Objects.requireNonNull(checkpoint, "resumeFrom");
        return this;
    }

    /** Where the trained model is written: an {@code .npz} file, replaced when it is there. */
    public TrainingBuilder export(Path npzFile) {
        this.export = Objects.requireNonNull(npzFile, "export");
        return this;
    }

    /** The directory of the TensorBoard event file. */
    public TrainingBuilder tensorboard(Path directory) {
        this.tensorboard = Objects.requireNonNull(directory, "tensorboard");
        return this;
    }

    /**
     * Records the run, so that {@link dev.edl.runtime.history.HistoryChecker} can prove afterwards that the staleness
     * bound held and that no push was lost or applied twice. Complete once the run is closed.
     *
     * @param file replaced when it is there
     */
    public TrainingBuilder history(Path file) {
        return history(file, HistoryDetail.FINGERPRINTS);
    }

    /**
     * Records the run.
     *
     * @param file replaced when it is there
     * @param detail whether gradients are recorded as well, so that the updates can be replayed
     */
    public TrainingBuilder history(Path file, HistoryDetail detail) {
        this.history = Objects.requireNonNull(file, "history");
        this.historyDetail = Objects.requireNonNull(detail, "detail");
        return this;
    }

    /**
     * How long a worker may hold a task without progress before it is handed to another, at most 365 days; 5 minutes
     * unless given. A worker waits for the others of a synchronous round three times as long at the most.
     */
    public TrainingBuilder taskTimeout(Duration timeout) {
        this.taskTimeout = Objects.requireNonNull(timeout, "taskTimeout");
        return this;
    }

    /**
     * How long the rounds of synchronous training wait for a worker that shows no sign of life, at most 365 days; 10 seconds
     * unless given. A worker that computes one minibatch may take three times as long as for the one before. Then the rounds
     * go on without it. Its task stays with it, and it takes part again with its next minibatch.
     */
    public TrainingBuilder roundTimeout(Duration timeout) {
        this.roundTimeout = Objects.requireNonNull(timeout, "roundTimeout");
        return this;
    }

    /**
     * The longest that a replica waits for a parameter server or a master that is away, at most 365 days; 10 minutes unless
     * given. Then it ends with exit code 75, which says that nothing is wrong with the job, and its successor waits again. No
     * task is blamed for it.
     */
    public TrainingBuilder absenceTimeout(Duration timeout) {
        this.absenceTimeout = Objects.requireNonNull(timeout, "absenceTimeout");
        return this;
    }

    /** How many errors one task may have before the training fails, at least 1; 4 unless given. */
    public TrainingBuilder maxTaskFailures(int failures) {
        this.maxTaskFailures = failures;
        return this;
    }

    /**
     * The training.
     *
     * @throws InvalidTrainingException with every mistake; those that callbacks find are among them once there are a
     *     model and data to ask them about
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
            ModelDataCheck.checkRecords("validation", v, m, problems);
        }
        TrainingBounds.check(this, problems);
        if (evaluationSteps > 0 && v == null) {
            problems.add("evaluationSteps is " + evaluationSteps + " but there is no validation data; add"
                    + " .validation(dataset)");
        }
        if (v == null && metricsNamed) {
            problems.add("metrics are named but there is no validation data to compute them on; add"
                    + " .validation(dataset)");
        }
        if (v != null && metrics.isEmpty()) {
            problems.add("metrics is empty although there is validation data; for example .metrics(Metric.accuracy())");
        }
        if (metrics.stream().map(Metric::name).distinct().count() < metrics.size()) {
            problems.add("metrics must have different names, was "
                    + metrics.stream().map(Metric::name).toList());
        }
        if (checkpointSteps > 0 && checkpointDirectory == null) {
            problems.add("checkpointSteps is " + checkpointSteps + " but there is no checkpointDirectory; add"
                    + " .checkpointDirectory(path)");
        }
        if (keepNamed && checkpointDirectory == null) {
            problems.add("keepCheckpoints is " + keepCheckpoints + " but there is no checkpointDirectory; add"
                    + " .checkpointDirectory(path)");
        }
        Path resume = resumeFrom;
        if (resume != null && !Files.isDirectory(resume)) {
            problems.add("resumeFrom must name a version-N directory or the directory that holds them, was " + resume
                    + (Files.exists(resume) ? ", which is a file" : ", which is not there"));
        }
        Path npz = export;
        if (npz != null && !npz.toString().endsWith(".npz")) {
            problems.add("export must name an .npz file, for example out/model.npz; was " + npz);
        }
        checkLearningRate(problems);
        if (m == null || d == null) {
            throw new InvalidTrainingException(problems);
        }
        Training training = new Training(this, m, d);
        problems.addAll(OutputFiles.of(training).clashes());
        callbacks.forEach(callback -> problems.addAll(Callbacks.problems(callback, training)));
        problems.addAll(MetricTotals.problems(metrics));
        List<TrainingCallback> restoring = callbacks.stream()
                .filter(callback -> callback instanceof EarlyStop stop && stop.restoresBest())
                .toList();
        if (restoring.size() > 1) {
            problems.add("a training comes to one version, but restoreBest is asked of " + restoring
                    + "; leave it to one of them, and let Export.best(...) write the others");
        }
        if (!problems.isEmpty()) {
            throw new InvalidTrainingException(problems);
        }
        return training;
    }

    /** Puts datasets into the place of their sources, which check themselves when they are opened. */
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
