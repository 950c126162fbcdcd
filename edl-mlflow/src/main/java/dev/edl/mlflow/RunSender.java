package dev.edl.mlflow;

import com.fasterxml.jackson.databind.JsonNode;
import dev.edl.mlflow.MlflowClient.RefusedException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Sends the metrics, parameters, tags and files of one MLflow run, on its own daemon thread. No other thread waits for
 * the server, except in {@link #end} and {@link #awaitRunId}, whose waits are bounded.
 *
 * <p>A failed request is repeated until it succeeds or the wait of {@link #end} is over. A request that the server
 * refuses is not repeated.
 */
final class RunSender {
    private static final System.Logger LOG = System.getLogger("dev.edl.mlflow");

    /** MLflow's limit of metrics in one request. */
    private static final int METRICS = 1000;
    /** Half of MLflow's limit, so that values of MLflow's longest length remain below its limit of 1 MB a request. */
    private static final int PARAMETERS = 50;
    /** Tag of a unique value, by which a run is found whose creation was not confirmed. */
    private static final String CREATION = "edl.creation";

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    /** Longest pause once the training waits. */
    private static final Duration LAST_PAUSE = Duration.ofMillis(500);

    private final MlflowClient client;
    private final Target target;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Condition progress = lock.newCondition();
    private final Condition ending = lock.newCondition();
    private final Deque<Map<String, Object>> metrics = new ArrayDeque<>();
    private final Map<String, String> parameters = new LinkedHashMap<>();
    private final Map<String, String> tags = new LinkedHashMap<>();
    private final Deque<Path> files = new ArrayDeque<>();
    private @Nullable String status;
    private @Nullable Part sending;
    private long dropped;
    private long refused;
    private @Nullable String runId;
    /** Whether the server has answered the run's last request. */
    private boolean complete;
    /** Whether the thread has ended. */
    private boolean done;

    private final Set<String> warned = new HashSet<>();
    private boolean away;
    private String artifactUri = "";
    private final Thread thread;

    /**
     * Run to write to.
     *
     * @param experiment the experiment's name
     * @param runName name of a new run; empty for a name of MLflow's
     * @param runId the run to continue; empty for a new run
     * @param capacity most metrics that wait
     * @param limit longest wait at the end
     * @param backoff first pause before a repetition; each further pause is twice as long
     */
    record Target(String experiment, String runName, String runId, int capacity, Duration limit, Duration backoff) {}

    /** Request in flight, with the number and the kind of its values. */
    private record Part(int count, String kind, Request<?> request) {}

    @FunctionalInterface
    private interface Request<T> {
        T send() throws IOException, InterruptedException;
    }

    RunSender(MlflowClient client, Target target) {
        this.client = client;
        this.target = target;
        this.thread = new Thread(this::run, "edl-mlflow");
        thread.setDaemon(true);
        thread.start();
    }

    /** Queues a metric. If the queue is full, drops its oldest metric. */
    void metric(String key, double value, long step) {
        lock.lock();
        try {
            if (status != null) {
                return;
            }
            if (metrics.size() == target.capacity()) {
                metrics.removeFirst();
                dropped++;
            }
            metrics.add(Map.of("key", key, "value", value, "timestamp", System.currentTimeMillis(), "step", step));
            work.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Queues parameters, tags, and a file for the run's folder {@code model}. */
    void add(Map<String, String> newParameters, Map<String, String> newTags, Optional<Path> file) {
        lock.lock();
        try {
            parameters.putAll(newParameters);
            tags.putAll(newTags);
            file.ifPresent(files::add);
            work.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the run's id; empty while the server has not confirmed the run. */
    Optional<String> runId() {
        lock.lock();
        try {
            return Optional.ofNullable(runId);
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the run's id, until the run cannot be had, at most as long as given. */
    Optional<String> awaitRunId(Duration atMost) throws InterruptedException {
        lock.lock();
        try {
            for (long left = atMost.toNanos(); runId == null && !done && left > 0; ) {
                left = progress.awaitNanos(left);
            }
            return Optional.ofNullable(runId);
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether {@link #end} was called. */
    boolean ended() {
        lock.lock();
        try {
            return status != null;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the run, and waits until all is sent, or the limit is over. The first call alone has an effect. */
    void end(String newStatus) throws InterruptedException {
        lock.lock();
        try {
            if (status != null) {
                return;
            }
            status = newStatus;
            work.signal();
            ending.signal();
            for (long left = target.limit().toNanos(); !done && left > 0; ) {
                left = progress.awaitNanos(left);
            }
            String lost = lost();
            if (!lost.isEmpty()) {
                warn(
                        "end",
                        "MLflow run " + (runId == null ? "" : runId + " ") + "at " + client + ": not sent: " + lost);
            }
        } finally {
            lock.unlock();
            thread.interrupt();
        }
    }

    /** Returns text for all values that the server has not received; empty if it has received all. */
    private String lost() {
        List<String> all = new ArrayList<>();
        Part part = sending;
        if (part != null && !part.kind().equals("status")) {
            all.add(part.count() + " " + part.kind());
        }
        if (!metrics.isEmpty()) {
            all.add(metrics.size() + " metrics");
        }
        if (!parameters.isEmpty()) {
            all.add(parameters.size() + " parameters");
        }
        files.forEach(file -> all.add(file.toString()));
        if (!complete) {
            all.add("status " + status);
        }
        if (dropped > 0) {
            all.add(dropped + " metrics, because at most " + target.capacity() + " wait for the server");
        }
        if (refused > 0) {
            all.add(refused + " values that the server refused");
        }
        return String.join("; ", all);
    }

    private void run() {
        try {
            String id = open();
            lock.lock();
            try {
                runId = id;
                progress.signalAll();
            } finally {
                lock.unlock();
            }
            for (Part part = next(id); part != null; part = next(id)) {
                send(part);
            }
        } catch (InterruptedException e) {
            // The wait of end is over.
        } catch (IOException | RuntimeException e) {
            warn("refused", "MLflow at " + client + " receives nothing of this training: " + text(e));
        } finally {
            lock.lock();
            try {
                done = true;
                progress.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private void send(Part part) throws InterruptedException {
        try {
            repeated(part.request());
        } catch (IOException | RuntimeException e) {
            warn("refused", "MLflow at " + client + " refuses " + part.count() + " " + part.kind() + ": " + text(e));
            lock.lock();
            try {
                refused += part.count();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Waits for the next values, and takes them; returns null after the run's status was sent. */
    private @Nullable Part next(String id) throws InterruptedException {
        lock.lock();
        try {
            Part before = sending;
            sending = null;
            if (before != null && before.kind().equals("status")) {
                complete = true;
                return null;
            }
            while (true) {
                Part part = take(id);
                if (part != null) {
                    sending = part;
                    return part;
                }
                work.await();
            }
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Part take(String id) {
        if (!parameters.isEmpty()) {
            return batch(id, "params", "parameters", pairs(parameters, PARAMETERS));
        }
        if (!tags.isEmpty()) {
            return batch(id, "tags", "tags", pairs(tags, PARAMETERS));
        }
        if (!metrics.isEmpty()) {
            List<Map<String, Object>> some = new ArrayList<>();
            while (some.size() < METRICS && !metrics.isEmpty()) {
                some.add(metrics.removeFirst());
            }
            return batch(id, "metrics", "metrics", some);
        }
        Path file = files.poll();
        if (file != null) {
            return new Part(1, "file " + file, () -> upload(file));
        }
        String reached = status;
        if (reached != null) {
            Map<String, Object> body = Map.of("run_id", id, "status", reached, "end_time", System.currentTimeMillis());
            return new Part(1, "status", () -> client.post("runs/update", body));
        }
        return null;
    }

    private Part batch(String id, String field, String kind, List<?> values) {
        Map<String, Object> body = Map.of("run_id", id, field, values);
        return new Part(values.size(), kind, () -> client.post("runs/log-batch", body));
    }

    private static List<Map<String, String>> pairs(Map<String, String> from, int most) {
        List<String> keys = from.keySet().stream().limit(most).toList();
        return keys.stream()
                .map(key -> Map.of("key", key, "value", from.remove(key)))
                .toList();
    }

    private boolean upload(Path file) throws IOException, InterruptedException {
        if (!artifactUri.startsWith("mlflow-artifacts:")) {
            warn(
                    "artefacts",
                    "MLflow at " + client + ": " + file + " is not uploaded, because the server does not take artefacts"
                            + " itself: the run's address of artefacts is \"" + artifactUri
                            + "\"; start the server with --serve-artifacts");
            return false;
        }
        try {
            client.upload(URI.create(artifactUri).getPath() + "/model/" + file.getFileName(), file);
        } catch (FileNotFoundException e) {
            throw new UncheckedIOException(e);
        }
        return true;
    }

    /** Creates the run, or reopens the given one. */
    private String open() throws IOException, InterruptedException {
        if (!target.runId().isEmpty()) {
            Map<String, String> body = Map.of("run_id", target.runId(), "status", "RUNNING");
            return opened(repeated(() -> client.post("runs/update", body)).path("run_info"));
        }
        String experiment = repeated(this::experiment);
        String unique = UUID.randomUUID().toString();
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("experiment_id", experiment);
        body.put("start_time", System.currentTimeMillis());
        body.put("tags", List.of(Map.of("key", CREATION, "value", unique)));
        if (!target.runName().isEmpty()) {
            body.put("run_name", target.runName());
        }
        Map<String, Object> search =
                Map.of("experiment_ids", List.of(experiment), "filter", "tags.`" + CREATION + "` = '" + unique + "'");
        boolean[] tried = {false};
        return opened(repeated(() -> {
            JsonNode made =
                    tried[0] ? client.post("runs/search", search).path("runs").path(0) : null;
            tried[0] = true;
            return made == null || made.isMissingNode()
                    ? client.post("runs/create", body).path("run").path("info")
                    : made.path("info");
        }));
    }

    private String opened(JsonNode info) throws IOException {
        artifactUri = info.path("artifact_uri").asText("");
        String id = info.path("run_id").asText("");
        if (id.isEmpty()) {
            throw new IOException("the answer has no run_id; is this the address of an MLflow server?");
        }
        return id;
    }

    private String experiment() throws IOException, InterruptedException {
        try {
            return client.get("experiments/get-by-name", "experiment_name", target.experiment())
                    .path("experiment")
                    .path("experiment_id")
                    .asText("");
        } catch (RefusedException e) {
            if (!e.isMissing()) {
                throw e;
            }
            return client.post("experiments/create", Map.of("name", target.experiment()))
                    .path("experiment_id")
                    .asText("");
        }
    }

    /** Sends a request until it is answered; throws only what a repetition would not change. */
    private <T> T repeated(Request<T> request) throws IOException, InterruptedException {
        Duration pause = target.backoff();
        while (true) {
            try {
                T answer = request.send();
                if (away) {
                    away = false;
                    LOG.log(System.Logger.Level.INFO, "MLflow at " + client + " answers again");
                }
                return answer;
            } catch (RefusedException e) {
                throw e;
            } catch (IOException e) {
                away = true;
                warn("away", "MLflow at " + client + " does not answer; the training continues: " + text(e));
            }
            pause(pause);
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
    }

    private void pause(Duration length) throws InterruptedException {
        lock.lock();
        try {
            long left = length.toNanos();
            while (left > 0) {
                left = ending.awaitNanos(status == null ? left : Math.min(left, LAST_PAUSE.toNanos()));
                if (status != null) {
                    return;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Logs a warning, but only the first one of its kind. */
    private void warn(String kind, String message) {
        lock.lock();
        try {
            if (!warned.add(kind)) {
                return;
            }
        } finally {
            lock.unlock();
        }
        LOG.log(System.Logger.Level.WARNING, message);
    }

    private static String text(Exception e) {
        String message = e.getMessage();
        return message == null ? e.getClass().getName() : message;
    }
}
