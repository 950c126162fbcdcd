package dev.edl.runtime;

import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.internal.LazyDataset;
import dev.edl.runtime.history.HistoryDetail;
import dev.edl.runtime.metrics.Metric;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.LearningRateSchedule;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.optimizers.UpdateRule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is trained and how: a model, its data, an optimizer, evaluation and what is kept.
 *
 * <p>A training says nothing about replicas; a {@code Job} does. Together they run:
 *
 * <pre>{@code
 * Training training = Training.builder()
 *     .model(Mlp.of(64, 32, 10))
 *     .data(train).validation(test)
 *     .optimizer(Optimizer.adam(0.001f))
 *     .minibatch(64).epochs(5).evaluationSteps(200)
 *     .build();
 * try (InProcessExecutor executor = InProcessExecutor.of(training);
 *      TrainingRun run = executor.submit(job)) {
 *   TrainingResult result = run.awaitResult(Duration.ofMinutes(5));
 * }
 * }</pre>
 *
 * <p>Immutable; the same training can be run several times.
 */
public final class Training {
    private final Model model;
    private final Dataset data;
    private final @Nullable Dataset validation;
    private final Optimizer optimizer;
    private final UpdateRule rule;
    private final Consistency consistency;
    private final int minibatch;
    private final int minibatchesPerTask;
    private final int epochs;
    private final boolean shuffle;
    private final long seed;
    private final int evaluationSteps;
    private final List<Metric> metrics;
    private final int logLossSteps;
    private final @Nullable Path checkpointDirectory;
    private final int checkpointSteps;
    private final boolean checkGradient;
    private final @Nullable String command;
    private final int keepCheckpoints;
    private final @Nullable Path resumeFrom;
    private final @Nullable Path export;
    private final @Nullable Path tensorboard;
    private final @Nullable Path history;
    private final HistoryDetail historyDetail;
    private final Duration taskTimeout;
    private final Duration roundTimeout;
    private final Duration absenceTimeout;
    private final int maxTaskFailures;
    private final long maxSteps;
    private final List<TrainingCallback> callbacks;
    private final List<Consumer<TrainingEvent>> listeners;

    Training(TrainingBuilder b, Model model, Dataset data) {
        this.model = model;
        this.data = data;
        this.validation = b.validation;
        this.optimizer = b.optimizer;
        this.consistency = b.consistency;
        this.rule = b.updateRule();
        this.minibatch = b.minibatch;
        this.minibatchesPerTask = b.minibatchesPerTask;
        this.epochs = b.epochs;
        this.shuffle = b.shuffle;
        this.seed = b.seed;
        this.evaluationSteps = b.evaluationSteps;
        this.metrics = List.copyOf(b.metrics);
        this.logLossSteps = b.logLossSteps;
        this.checkpointDirectory = b.checkpointDirectory;
        this.checkpointSteps = b.checkpointSteps;
        this.checkGradient = b.checkGradient;
        this.command = b.command;
        this.keepCheckpoints = b.keepCheckpoints;
        this.resumeFrom = b.resumeFrom;
        this.export = b.export;
        this.tensorboard = b.tensorboard;
        this.history = b.history;
        this.historyDetail = b.historyDetail;
        this.taskTimeout = b.taskTimeout;
        this.roundTimeout = b.roundTimeout;
        this.absenceTimeout = b.absenceTimeout;
        this.maxTaskFailures = b.maxTaskFailures;
        this.maxSteps = b.maxSteps;
        this.callbacks = List.copyOf(b.callbacks);
        this.listeners = List.copyOf(b.listeners);
    }

    /** Starts a training; a model and data are required. */
    public static TrainingBuilder builder() {
        return new TrainingBuilder();
    }

    /** What is trained. */
    public Model model() {
        return model;
    }

    /** What the model is called in messages: its class's name. */
    public String modelName() {
        String simple = model.getClass().getSimpleName();
        return simple.isEmpty() ? model.getClass().getName() : simple;
    }

    /** What it is trained on. */
    public Dataset data() {
        return data;
    }

    /** What it is evaluated on. */
    public Optional<Dataset> validation() {
        return Optional.ofNullable(validation);
    }

    /** How gradients are applied. */
    public Optimizer optimizer() {
        return optimizer;
    }

    /** The learning rate by the number of updates; the optimizer's own unless a schedule was given. */
    public LearningRateSchedule learningRate() {
        return rule.learningRate();
    }

    /** Whether the learning rate is divided by the staleness of the gradient. */
    public boolean stalenessModulation() {
        return rule.modulatesStaleness();
    }

    public UpdateRule updateRule() {
        return rule;
    }

    /** How stale a gradient may be. */
    public Consistency consistency() {
        return consistency;
    }

    /** Records of one gradient. */
    public int minibatch() {
        return minibatch;
    }

    /** Minibatches of one task. */
    public int minibatchesPerTask() {
        return minibatchesPerTask;
    }

    /** How often each record is trained. */
    public int epochs() {
        return epochs;
    }

    /** Minibatches that are trained in all epochs together, at most; 0 for those of all epochs. */
    public long maxSteps() {
        return maxSteps;
    }

    /** What the training calls as it goes. */
    public List<TrainingCallback> callbacks() {
        return callbacks;
    }

    /** Returns the listeners, in the order in which they were added. */
    public List<Consumer<TrainingEvent>> listeners() {
        return listeners;
    }

    /** Whether tasks, and the records within a task, are shuffled anew in each epoch. */
    public boolean shuffle() {
        return shuffle;
    }

    /** Seed of initial values and shuffles. */
    public long seed() {
        return seed;
    }

    /** An evaluation each time the model version is a multiple of this; 0 for none but the one at the end. */
    public int evaluationSteps() {
        return evaluationSteps;
    }

    /** What an evaluation computes. */
    public List<Metric> metrics() {
        return metrics;
    }

    /** A loss is reported each time the model version passes a multiple of this; 0 for never. */
    public int logLossSteps() {
        return logLossSteps;
    }

    /** Whether the model's gradient is compared with differences of its loss before a job starts. */
    public boolean checkGradient() {
        return checkGradient;
    }

    /** The command that runs it, when that is known. */
    public Optional<String> command() {
        return Optional.ofNullable(command);
    }

    /** Where checkpoints and the task journal are kept. */
    public Optional<Path> checkpointDirectory() {
        return Optional.ofNullable(checkpointDirectory);
    }

    /** A checkpoint each time the model version has moved on by this; 0 for none but the one at the end. */
    public int checkpointSteps() {
        return checkpointSteps;
    }

    /** How many checkpoints are kept; 0 for all. */
    public int keepCheckpoints() {
        return keepCheckpoints;
    }

    /** The checkpoint that the training goes on from. */
    public Optional<Path> resumeFrom() {
        return Optional.ofNullable(resumeFrom);
    }

    /** Where the trained model is written. */
    public Optional<Path> export() {
        return Optional.ofNullable(export);
    }

    /** The directory of the TensorBoard event file. */
    public Optional<Path> tensorboard() {
        return Optional.ofNullable(tensorboard);
    }

    /** The file that runs are recorded in. */
    public Optional<Path> history() {
        return Optional.ofNullable(history);
    }

    /** How much of a run is recorded, when it is. */
    public HistoryDetail historyDetail() {
        return historyDetail;
    }

    /** How long a worker may hold a task without progress before it is handed to another. */
    public Duration taskTimeout() {
        return taskTimeout;
    }

    /** How long a synchronous round waits for a worker that shows no sign of life. */
    public Duration roundTimeout() {
        return roundTimeout;
    }

    /** The longest that a replica waits for a parameter server or a master that is away; then it ends with exit code 75. */
    public Duration absenceTimeout() {
        return absenceTimeout;
    }

    /** How many errors one task may have before the training fails. */
    public int maxTaskFailures() {
        return maxTaskFailures;
    }

    /** For example {@code 1,438 records x 30 epochs, minibatch 16, adam:learning_rate=0.001, asynchronous}. */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%s x %d %s%s, minibatch %d, %s, %s",
                data instanceof LazyDataset lazy && !lazy.isOpen()
                        ? "data"
                        : String.format(Locale.ROOT, "%,d records", data.records()),
                epochs,
                epochs == 1 ? "epoch" : "epochs",
                maxSteps == 0 ? "" : String.format(Locale.ROOT, " to step %,d", maxSteps),
                minibatch,
                optimizer,
                consistency);
    }
}
