package dev.edl.mlflow;

import dev.edl.runtime.Progress;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingCallback;
import dev.edl.runtime.TrainingControl;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.TrainingResult;
import dev.edl.status.JobPhase;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Callback and listener that report a training to an MLflow server as one MLflow run.
 *
 * <pre>{@code
 * MlflowTracking tracking = MlflowTracking.to(URI.create("http://mlflow.example.com:5000"))
 *     .experiment("clicks")
 *     .authorization(() -> "Bearer " + token)
 *     .build();
 * Training training = Training.builder()
 *     ...
 *     .callback(tracking)       // parameters, evaluations, the exported model, the end
 *     .onTraining(tracking)     // loss, records and throughput by step
 *     .build();
 * }</pre>
 *
 * <p>The master alone reports. A thread of its own sends all requests from a queue of bounded length, so the server
 * neither delays nor fails a training. If the server does not answer, requests are repeated, with one warning. If
 * the queue is full, its oldest metrics are dropped. Only the end of the training waits, for at most
 * {@link Builder#endTimeout}; one warning then names the values that were not sent.
 *
 * <p>A master that takes over, and a training that resumes from a checkpoint, continue the run if the master or the
 * checkpoint before had its id.
 *
 * <p>A callback is not called when a training fails or is cancelled. Then call {@link #end}; otherwise the run remains
 * {@code RUNNING} in MLflow. One object reports one training at a time.
 */
public final class MlflowTracking implements TrainingCallback, Consumer<TrainingEvent> {
    /** Label for the run's id among a job's labels. */
    public static final String LABEL = "edl.dev/mlflow-run-id";

    private static final int LONGEST_PARAMETER = 6000;
    private static final int LONGEST_TAG = 5000;

    private final Builder settings;
    private final MlflowClient client;
    private volatile @Nullable RunSender sender;
    private volatile @Nullable Training training;
    private volatile boolean saved;
    private Duration nextReport = Duration.ZERO;

    private MlflowTracking(Builder settings) {
        this.settings = settings;
        this.client = new MlflowClient(settings.server, settings.authorization, settings.timeout);
    }

    /**
     * Returns a builder.
     *
     * @param server the server's address, for example {@code http://mlflow.example.com:5000}
     * @throws IllegalArgumentException for an address of another form, or with a user
     */
    public static Builder to(URI server) {
        return new Builder(server);
    }

    /** Settings of a {@link MlflowTracking}. */
    public static final class Builder {
        private final URI server;
        String experiment = "Default";
        String runName = "";
        private String runId = "";
        private Supplier<String> authorization = () -> "";
        private final Map<String, String> parameters = new LinkedHashMap<>();
        private final Map<String, String> tags = new LinkedHashMap<>();
        private Duration interval = Duration.ofSeconds(1);
        private Duration timeout = Duration.ofSeconds(10);
        Duration endTimeout = Duration.ofSeconds(10);
        int capacity = 10_000;
        Duration backoff = Duration.ofSeconds(1);

        private Builder(URI server) {
            boolean web = "http".equals(server.getScheme()) || "https".equals(server.getScheme());
            if (server.getRawUserInfo() != null) {
                throw new IllegalArgumentException(
                        "server: the address must have no user and password; pass them to authorization(...)");
            }
            if (!web || server.getHost() == null || server.getRawQuery() != null || server.getRawFragment() != null) {
                throw new IllegalArgumentException(
                        "server: must be an address such as http://mlflow.example.com:5000, was \"" + server + "\"");
            }
            this.server = server;
        }

        /** Sets the experiment's name; a missing experiment is created. Default: {@code Default}. */
        public Builder experiment(String name) {
            this.experiment = text("experiment", name, "clicks");
            return this;
        }

        /** Sets the name of a new run. Default: a name of MLflow's. */
        public Builder runName(String name) {
            this.runName = text("runName", name, "clicks of March");
            return this;
        }

        /** Sets the MLflow run to continue, for example that of the variable {@code MLFLOW_RUN_ID}. Default: a new run. */
        public Builder runId(String id) {
            this.runId = text("runId", id, "0f5ee5f5d8a14c0d9a3ac1e0d4fa1e4b");
            return this;
        }

        /**
         * Sets the function that returns the header {@code Authorization} of each request, for example
         * {@code Bearer abc}. Default: empty, for no header.
         */
        public Builder authorization(Supplier<String> header) {
            this.authorization = Objects.requireNonNull(header, "authorization");
            return this;
        }

        /** Adds a parameter to those of the training. */
        public Builder parameter(String name, String value) {
            parameters.put(key(text("parameter", name, "dropout")), cut(value, LONGEST_PARAMETER));
            return this;
        }

        /** Adds a tag. */
        public Builder tag(String name, String value) {
            tags.put(text("tag", name, "team"), cut(value, LONGEST_TAG));
            return this;
        }

        /** Sets the shortest time between two reports of loss, records and throughput. Default: 1 s. */
        public Builder interval(Duration length) {
            this.interval = positive("interval", length);
            return this;
        }

        /** Sets the longest duration of a request, after which it is repeated. Default: 10 s. */
        public Builder requestTimeout(Duration length) {
            this.timeout = positive("requestTimeout", length);
            return this;
        }

        /** Sets how long the end of the training waits for its last requests. Default: 10 s. */
        public Builder endTimeout(Duration length) {
            this.endTimeout = positive("endTimeout", length);
            return this;
        }

        /** Sets the largest number of metrics that wait for the server. Default: 10,000. */
        public Builder queue(int metrics) {
            if (metrics < 1) {
                throw new IllegalArgumentException("queue: must be at least 1, for example 10000, was " + metrics);
            }
            this.capacity = metrics;
            return this;
        }

        /** Sets the first pause before a request is repeated. */
        Builder backoff(Duration first) {
            this.backoff = first;
            return this;
        }

        /** Returns the callback and listener. It sends nothing before a training begins or the run's id is requested. */
        public MlflowTracking build() {
            return new MlflowTracking(this);
        }

        private static String text(String field, String value, String example) {
            if (value.isBlank()) {
                throw new IllegalArgumentException(field + ": must not be blank, for example \"" + example + "\"");
            }
            return value;
        }

        private static Duration positive(String field, Duration length) {
            if (length.isZero() || length.isNegative()) {
                throw new IllegalArgumentException(field + ": must be positive, for example PT10S, was " + length);
            }
            return length;
        }
    }

    /** Returns the run's id; empty before MLflow has confirmed the run. Does not wait. */
    public Optional<String> runId() {
        RunSender now = sender;
        return now == null ? Optional.empty() : now.runId();
    }

    /**
     * Creates the run, if there is none, and waits for its id, for example to label a job before its submission:
     *
     * <pre>{@code
     * tracking.awaitRunId(Duration.ofSeconds(5)).ifPresent(id -> job.label(MlflowTracking.LABEL, id));
     * }</pre>
     *
     * @return the run's id; empty if the server refuses the run, or does not answer in this time
     */
    public Optional<String> awaitRunId(Duration atMost) throws InterruptedException {
        return open("").awaitRunId(atMost);
    }

    /**
     * Ends the run of a training that did not succeed, with status {@code FAILED} or {@code KILLED}. Has no effect if
     * the run has ended or was never created.
     *
     * @param phase the job's phase; {@link JobPhase#CANCELLED} is {@code KILLED} in MLflow
     * @throws IllegalArgumentException for a phase that is not final
     */
    public void end(JobPhase phase) throws InterruptedException {
        if (!phase.ended()) {
            throw new IllegalArgumentException("phase: must be final, for example FAILED, was " + phase);
        }
        RunSender now = sender;
        if (now != null) {
            now.end(phase == JobPhase.SUCCEEDED ? "FINISHED" : phase == JobPhase.CANCELLED ? "KILLED" : "FAILED");
        }
    }

    private synchronized RunSender open(String state) {
        RunSender now = sender;
        if (now == null || now.ended()) {
            now = new RunSender(client, settings, settings.runId.isEmpty() ? state : settings.runId);
            sender = now;
            nextReport = Duration.ZERO;
        }
        return now;
    }

    /** Remembers the training, whose settings become the run's parameters. Returns no problem. */
    @Override
    public List<String> problems(Training of) {
        training = of;
        return List.of();
    }

    /** Starts or continues the run, without waiting for the server. */
    @Override
    public TrainingCallback begin(String state) {
        saved = !state.isEmpty();
        Map<String, String> all = new LinkedHashMap<>();
        Training of = training;
        if (of != null) {
            all.putAll(parameters(of));
        }
        all.putAll(settings.parameters);
        open(state).add(all, settings.tags, Optional.empty());
        return this;
    }

    private static Map<String, String> parameters(Training of) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("model", of.modelName());
        all.put("optimizer", of.optimizer());
        all.put("learning_rate", of.learningRate());
        all.put("consistency", of.consistency());
        all.put("minibatch", of.minibatch());
        all.put("minibatches_per_task", of.minibatchesPerTask());
        all.put("epochs", of.epochs());
        all.put("max_steps", of.maxSteps());
        all.put("shuffle", of.shuffle());
        all.put("seed", of.seed());
        all.put("evaluation_steps", of.evaluationSteps());
        Map<String, String> texts = new LinkedHashMap<>();
        all.forEach((name, value) -> texts.put(name, cut(value.toString(), LONGEST_PARAMETER)));
        return texts;
    }

    /** Returns the run's id, so that a later master continues the run. */
    @Override
    public String state() {
        String id = runId().orElse("");
        saved = !id.isEmpty();
        return id;
    }

    /** Returns true: a repeated call reports the same values again. */
    @Override
    public boolean repeatable() {
        return true;
    }

    /** Returns 1 as long as the run's id is known but not in the saved state, otherwise 0. */
    @Override
    public long everySteps() {
        return !saved && runId().isPresent() ? 1 : 0;
    }

    @Override
    public void onEvaluation(long version, Map<String, Double> metrics, TrainingControl control) {
        metrics.forEach((name, value) -> metric("evaluation/" + name, value, version));
    }

    /** Reports the last values and the exported model, and ends the run; waits for at most {@link Builder#endTimeout}. */
    @Override
    public void onEnd(TrainingResult result) throws InterruptedException {
        RunSender now = sender;
        if (now == null) {
            return;
        }
        if (!result.curve().isEmpty()) {
            loss(result.curve().get(result.curve().size() - 1).loss(), result.steps());
        }
        metric("records", (double) result.records(), result.steps());
        metric("records_per_second", result.recordsPerSecond(), result.steps());
        Map<String, String> tags = new LinkedHashMap<>();
        tags.put("edl.reproduce", cut(result.reproduce(), LONGEST_TAG));
        result.stopped().ifPresent(reason -> tags.put("edl.stopped", cut(reason, LONGEST_TAG)));
        now.add(Map.of(), tags, result.export());
        end(JobPhase.SUCCEEDED);
    }

    /** Reports the loss, the records and the throughput, at most once in each {@link Builder#interval}. */
    @Override
    public synchronized void accept(TrainingEvent event) {
        if (event instanceof TrainingEvent.Progressed progressed) {
            Progress progress = progressed.progress();
            if (progress.elapsed().compareTo(nextReport) < 0) {
                return;
            }
            nextReport = progress.elapsed().plus(settings.interval);
            loss(progress.loss(), progress.step());
            metric("records", (double) progress.recordsDone(), progress.step());
            metric("records_per_second", progress.recordsPerSecond(), progress.step());
            metric("epoch", progress.epoch(), progress.step());
        }
    }

    private void loss(double value, long step) {
        if (!Double.isNaN(value)) {
            // Otherwise no worker has reported one yet.
            metric("loss", value, step);
        }
    }

    private void metric(String name, double value, long step) {
        RunSender now = sender;
        if (now != null) {
            now.metric(key(name), value, step);
        }
    }

    /** Returns the name with the characters that MLflow permits. */
    private static String key(String name) {
        return cut(name.replaceAll("[^\\w\\-. /]", "_"), 250);
    }

    private static String cut(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most);
    }

    /** Returns, for example, {@code MLflow at http://mlflow.example.com:5000}. */
    @Override
    public String toString() {
        return "MLflow at " + client;
    }
}
