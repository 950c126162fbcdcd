package dev.edl.runtime;

import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.internal.LazyDataset;
import dev.edl.runtime.model.Metric;
import dev.edl.runtime.model.Model;
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
 * Immutable description of a training: model, data, optimizer, evaluation and outputs.
 *
 * <p>Replicas are not part of a training; a {@code Job} sets them. An executor runs both together:
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
 * <p>The same training can be run several times.
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
    private final TrainedModel.@Nullable Source from;
    private final @Nullable Path export;
    private final @Nullable Path tensorboard;
    private final @Nullable Path history;
    private final HistoryDetail historyDetail;
    private final Duration taskTimeout;
    private final Duration roundTimeout;
    private final Duration absenceTimeout;
    private final ConnectionSettings connections;
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
        this.from = b.from;
        this.export = b.export;
        this.tensorboard = b.tensorboard;
        this.history = b.history;
        this.historyDetail = b.historyDetail;
        this.taskTimeout = b.taskTimeout;
        this.roundTimeout = b.roundTimeout;
        this.absenceTimeout = b.absenceTimeout;
        this.connections = b.connections;
        this.maxTaskFailures = b.maxTaskFailures;
        this.maxSteps = b.maxSteps;
        this.callbacks = List.copyOf(b.callbacks);
        this.listeners = List.copyOf(b.listeners);
    }

    /** Returns a builder; it requires a model and data. */
    public static TrainingBuilder builder() {
        return new TrainingBuilder();
    }

    /** Returns the model to train. */
    public Model model() {
        return model;
    }

    /** Returns the model's name in messages: the simple name of its class. */
    public String modelName() {
        String simple = model.getClass().getSimpleName();
        return simple.isEmpty() ? model.getClass().getName() : simple;
    }

    /** Returns the training data. */
    public Dataset data() {
        return data;
    }

    /** Returns the validation data; empty when the training is not evaluated. */
    public Optional<Dataset> validation() {
        return Optional.ofNullable(validation);
    }

    /** Returns the optimizer, which applies gradients to parameters. */
    public Optimizer optimizer() {
        return optimizer;
    }

    /**
     * Returns the learning rate as a function of the update count; the optimizer's own rate unless a schedule was set.
     */
    public LearningRateSchedule learningRate() {
        return rule.learningRate();
    }

    /** Returns whether the learning rate is divided by the staleness of the gradient. */
    public boolean stalenessModulation() {
        return rule.modulatesStaleness();
    }

    public UpdateRule updateRule() {
        return rule;
    }

    /** Returns the consistency mode, which bounds the staleness of gradients. */
    public Consistency consistency() {
        return consistency;
    }

    /** Returns the number of records in one minibatch, from which one gradient is computed. */
    public int minibatch() {
        return minibatch;
    }

    /** Returns the number of minibatches in one task. */
    public int minibatchesPerTask() {
        return minibatchesPerTask;
    }

    /** Returns the number of epochs. */
    public int epochs() {
        return epochs;
    }

    /** Returns the maximum number of minibatches that are trained over all epochs; 0 for no maximum. */
    public long maxSteps() {
        return maxSteps;
    }

    /** Returns the callbacks, in the order in which they were added. */
    public List<TrainingCallback> callbacks() {
        return callbacks;
    }

    /** Returns the listeners, in the order in which they were added. */
    public List<Consumer<TrainingEvent>> listeners() {
        return listeners;
    }

    /** Returns whether each epoch shuffles the tasks, and the records within a task. */
    public boolean shuffle() {
        return shuffle;
    }

    /** Returns the seed of initial values and shuffles. */
    public long seed() {
        return seed;
    }

    /** Returns the evaluation interval in model versions; 0 to evaluate only at the end. */
    public int evaluationSteps() {
        return evaluationSteps;
    }

    /** Returns the metrics that an evaluation computes. */
    public List<Metric> metrics() {
        return metrics;
    }

    /** Returns the interval in model versions at which workers report a loss; 0 for never. */
    public int logLossSteps() {
        return logLossSteps;
    }

    /** Returns whether the model's gradient is compared with finite differences of its loss before a job starts. */
    public boolean checkGradient() {
        return checkGradient;
    }

    /** Returns the command that runs this training; empty when unknown. */
    public Optional<String> command() {
        return Optional.ofNullable(command);
    }

    /** Returns the directory of checkpoints; empty for none on disk. */
    public Optional<Path> checkpointDirectory() {
        return Optional.ofNullable(checkpointDirectory);
    }

    /** Returns the checkpoint interval in model versions; 0 to write only the final checkpoint. */
    public int checkpointSteps() {
        return checkpointSteps;
    }

    /** Returns the number of newest checkpoints to keep; 0 for all. */
    public int keepCheckpoints() {
        return keepCheckpoints;
    }

    /** Returns the checkpoint from which the training resumes; empty for a new training. */
    public Optional<Path> resumeFrom() {
        return Optional.ofNullable(resumeFrom);
    }

    /** Returns the model whose parameters are the training's first ones; empty for those of the model's initializer. */
    public Optional<TrainedModel.Source> from() {
        return Optional.ofNullable(from);
    }

    /** Returns the file to which the trained model is exported; empty for no export. */
    public Optional<Path> export() {
        return Optional.ofNullable(export);
    }

    /** Returns the directory of the TensorBoard event file; empty for none. */
    public Optional<Path> tensorboard() {
        return Optional.ofNullable(tensorboard);
    }

    /** Returns the file to which the history of a run is recorded; empty for none. */
    public Optional<Path> history() {
        return Optional.ofNullable(history);
    }

    /** Returns the level of detail of a recorded history. */
    public HistoryDetail historyDetail() {
        return historyDetail;
    }

    /** Returns the longest time a worker may hold a task without progress before the master reassigns it. */
    public Duration taskTimeout() {
        return taskTimeout;
    }

    /** Returns how long a synchronous round waits for a worker that shows no activity. */
    public Duration roundTimeout() {
        return roundTimeout;
    }

    /**
     * Returns the longest time a replica waits for an absent parameter server or master; then it exits with code 75.
     */
    public Duration absenceTimeout() {
        return absenceTimeout;
    }

    /** Returns the bounds of the connections between the training's processes. */
    public ConnectionSettings connections() {
        return connections;
    }

    /** Returns the number of errors of one task at which the training fails. */
    public int maxTaskFailures() {
        return maxTaskFailures;
    }

    /**
     * Returns, for example, {@code 1,438 records x 30 epochs, minibatch 16, adam:learning_rate=0.001, asynchronous}.
     */
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
