package dev.edl.runtime;

import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.model.Metric;
import dev.edl.runtime.model.Model;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Common part of the builders of {@link Evaluation} and {@link Prediction}. Setters reject only null. Not thread-safe.
 *
 * @param <B> the builder itself
 */
public abstract class PassBuilder<B extends PassBuilder<B>> {
    private static final int MAX_TASK_RECORDS = 1 << 20;
    private static final Duration LONGEST_TASK = Duration.ofDays(365);

    private @Nullable Model model;
    private @Nullable Dataset data;
    private TrainedModel.@Nullable Source from;
    private int minibatch = 64;
    private int minibatchesPerTask = 8;
    private Duration taskTimeout = Duration.ofMinutes(5);
    private Duration absenceTimeout = Duration.ofMinutes(10);
    private ConnectionSettings connections = ConnectionSettings.defaults();
    private int maxTaskFailures = 4;
    private final List<Consumer<TrainingEvent>> listeners = new ArrayList<>();

    /** Returns this builder. */
    protected abstract B self();

    /** Sets the model whose parameters are given by {@code from}. Required. */
    public B model(Model newModel) {
        this.model = Objects.requireNonNull(newModel, "model");
        return self();
    }

    /** Sets the records. Required. */
    public B data(Dataset newData) {
        this.data = Objects.requireNonNull(newData, "data");
        return self();
    }

    /**
     * Sets the parameters; for example {@code run.result().orElseThrow().model()}. Parameters or a path are required.
     */
    public B from(TrainedModel trained) {
        this.from = TrainedModel.Source.of(Objects.requireNonNull(trained, "from"));
        return self();
    }

    /** Sets the path to read the parameters from when the job is submitted, see {@link TrainedModel#load}. */
    public B from(Path trained) {
        this.from = TrainedModel.Source.of(Objects.requireNonNull(trained, "from"));
        return self();
    }

    /** Sets the records per call of the model, at least 1; 64 by default. */
    public B minibatch(int records) {
        this.minibatch = records;
        return self();
    }

    /** Sets the minibatches of one task, at least 1; 8 by default. A killed worker loses at most one task's work. */
    public B minibatchesPerTask(int minibatches) {
        this.minibatchesPerTask = minibatches;
        return self();
    }

    /**
     * Sets how long a worker may hold a task without progress before another worker gets it, at most 365 days; 5
     * minutes by default.
     */
    public B taskTimeout(Duration timeout) {
        this.taskTimeout = Objects.requireNonNull(timeout, "taskTimeout");
        return self();
    }

    /**
     * Sets how long a worker waits for an absent master, at most 365 days; 10 minutes by default. Then the worker
     * exits with code 75.
     */
    public B absenceTimeout(Duration timeout) {
        this.absenceTimeout = Objects.requireNonNull(timeout, "absenceTimeout");
        return self();
    }

    /** Sets the bounds of the connections between processes. Default: {@link ConnectionSettings#defaults}. */
    public B connections(ConnectionSettings settings) {
        this.connections = Objects.requireNonNull(settings, "connections");
        return self();
    }

    /** Sets how many failures of one task fail the job, at least 1; 4 by default. */
    public B maxTaskFailures(int failures) {
        this.maxTaskFailures = failures;
        return self();
    }

    /** Adds a listener for all events of each run. {@code PassRun.onTraining} adds one to a single run, also late. */
    public B onTraining(Consumer<TrainingEvent> listener) {
        this.listeners.add(Objects.requireNonNull(listener, "onTraining"));
        return self();
    }

    /**
     * Validates all settings and returns the pass. Throws with all problems, including {@code ownProblems}, in one
     * message.
     */
    PassSpec pass(String kind, boolean predicts, List<String> ownProblems) {
        List<String> problems = new ArrayList<>();
        Model m = model;
        Dataset d = data;
        TrainedModel.Source f = from;
        if (m == null) {
            problems.add("model is missing; for example .model(Mlp.of(64, 32, 10))");
        }
        if (d == null) {
            problems.add("data is missing; for example .data(RecordIoDataset.open(folder, decoder))");
        } else if (d.records() == 0) {
            problems.add("data has no records in its " + d.shards().size() + " shards");
        }
        if (f == null) {
            problems.add("from is missing, the source of the parameters; for example .from(Path.of(\"checkpoints\"))");
        }
        if (m != null && d != null) {
            widths(d, m, predicts, problems);
        }
        atLeastOne("minibatch", minibatch, 64, problems);
        atLeastOne("minibatchesPerTask", minibatchesPerTask, 8, problems);
        atLeastOne("maxTaskFailures", maxTaskFailures, 4, problems);
        if (minibatch > 0 && minibatchesPerTask > 0 && (long) minibatch * minibatchesPerTask > MAX_TASK_RECORDS) {
            problems.add("minibatch x minibatchesPerTask must be at most " + MAX_TASK_RECORDS
                    + " records, because a worker holds a task in memory; was " + minibatch + " x "
                    + minibatchesPerTask);
        }
        timeout("taskTimeout", taskTimeout, 5, problems);
        timeout("absenceTimeout", absenceTimeout, 10, problems);
        problems.addAll(ownProblems);
        if (!problems.isEmpty() || m == null || d == null || f == null) {
            throw new IllegalArgumentException(
                    problems.size() == 1
                            ? kind + ": " + problems.get(0)
                            : kind + ": " + problems.size() + " mistakes\n  " + String.join("\n  ", problems));
        }
        return new PassSpec(
                m,
                d,
                f,
                minibatch,
                minibatchesPerTask,
                taskTimeout,
                absenceTimeout,
                connections,
                maxTaskFailures,
                List.copyOf(listeners));
    }

    /** Returns the model's default metrics; empty if no model is set, which {@link #pass} reports. */
    List<Metric> defaultMetrics() {
        Model m = model;
        return m == null ? List.of(Metric.accuracy()) : m.metrics();
    }

    private static void widths(Dataset data, Model model, boolean predicts, List<String> problems) {
        if (data.features() != model.features()) {
            problems.add(
                    "data has " + data.features() + " features per record, but the model takes " + model.features());
        }
        if (data.ids() != model.ids()) {
            problems.add("data has " + data.ids() + " ids per record, but the model takes " + model.ids());
        }
        // A prediction needs no labels and ignores existing ones.
        if (!predicts && data.labels() != model.labels()) {
            problems.add(
                    "data has " + data.labels() + " label values per record, but the model takes " + model.labels());
        }
    }

    private static void timeout(String name, Duration value, int minutes, List<String> problems) {
        if (value.isNegative() || value.isZero() || value.compareTo(LONGEST_TASK) > 0) {
            problems.add(name + " must be positive and at most 365 days, for example Duration.ofMinutes(" + minutes
                    + "); was " + value);
        }
    }

    private static void atLeastOne(String name, int value, int example, List<String> problems) {
        if (value < 1) {
            problems.add(name + " must be at least 1, was " + value + "; for example ." + name + "(" + example + ")");
        }
    }
}
